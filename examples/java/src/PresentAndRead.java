import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Presents a house consignment, and prints the signals after the stored marker: PresentAndRead DOCUMENT TYPE */
final class PresentAndRead {
  private static final Path MARKER = Path.of("signals.marker");

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2) {
      System.err.println("usage: PresentAndRead DOCUMENT TYPE");
      System.exit(2);
    }
    String file = System.getenv().getOrDefault("CREDENTIALS", ".landfall/credentials/carrier.json");
    LandfallClient client = new LandfallClient(Json.parseObject(Files.readString(Path.of(file))));
    try {
      client.presentHouseConsignment(UUID.randomUUID(), "NO351001", arguments[0], arguments[1]);
      System.out.println("presented");
    } catch (RefusedException refusal) {
      System.out.println("refused (" + refusal.status() + "): " + refusal.getMessage());
      System.exit(1);
    }
    String marker = Files.exists(MARKER) ? Files.readString(MARKER) : null;
    for (RoutingSignal signal : client.readSignals(marker)) {
      System.out.println(signal.documentNumber() + " " + signal.routing());
      // After a crash, only the signal in hand comes again.
      Files.writeString(MARKER, signal.id());
    }
  }
}
