// The MRN of goods, under whichever name they have it.

/**
 * The MRN of goods: that of their entry summary declaration, or of the message with which they were lodged as a house
 * consignment. Every answer about goods has exactly one of the two.
 *
 * @returns an empty text if there is none, as in the results of a run on goods that were removed since
 * @example
 * for await (const signal of landfall.followRouting()) console.log(mrnOf(signal), signal.routingResult.routing);
 */
export function mrnOf({
  entrySummaryDeclarationMRN,
  houseConsignmentMRN,
}: {
  entrySummaryDeclarationMRN?: string | undefined;
  houseConsignmentMRN?: string | undefined;
}): string {
  return entrySummaryDeclarationMRN ?? houseConsignmentMRN ?? '';
}
