import java.util.Map;

/**
 * Where a house consignment goes. Of several signals of a consignment, the last one applies.
 *
 * @param id the marker after which the next signal comes
 * @param routing such as TO_CONTROL or TO_ENTRY; goods are released with TO_ENTRY alone
 */
record RoutingSignal(
    String id, String mrn, String documentNumber, String documentType, String routing) {
  static RoutingSignal of(Object json) {
    Map<?, ?> signal = (Map<?, ?>) json;
    Map<?, ?> document = (Map<?, ?>) signal.get("transportDocumentHouseLevel");
    Map<?, ?> result = (Map<?, ?>) signal.get("routingResult");
    Object ens = signal.get("entrySummaryDeclarationMRN");
    return new RoutingSignal(
        (String) result.get("id"),
        // Goods that were lodged as a house consignment have the MRN of that message.
        (String) (ens == null ? signal.get("houseConsignmentMRN") : ens),
        (String) document.get("documentNumber"),
        (String) document.get("type"),
        (String) result.get("routing"));
  }
}
