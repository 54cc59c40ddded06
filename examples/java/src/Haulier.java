import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Lodges a lorry with its goods, reports its arrival, and says when they may be unloaded: Haulier FILE TIME */
final class Haulier {
  private static final int MAX_WAITS = 3;

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2) {
      System.err.println("usage: Haulier FILE TIME, with a message a line and the time of arrival");
      System.exit(2);
    }
    String file = System.getenv().getOrDefault("CREDENTIALS", ".landfall/credentials/haulier.json");
    LandfallClient client = new LandfallClient(Json.parseObject(Files.readString(Path.of(file))));
    String transport = null;
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      Map<String, Object> message = new HashMap<>(Json.parseObject(line));
      // In your program it is stored before it is sent, and sent again after a crash.
      message.put("requestId", UUID.randomUUID().toString());
      String level = levelOf(message);
      try {
        String mrn = client.lodge(level, message);
        System.out.println("lodged " + level + " " + mrn);
        if (level.equals("transport")) transport = mrn;
      } catch (RefusedException refusal) {
        System.out.println("refused " + level + ": " + refusal.getMessage());
        System.exit(1);
      }
    }
    client.reportArrival(UUID.randomUUID(), transport, "NO371001", Instant.parse(arguments[1]));
    for (int wait = 0; wait < MAX_WAITS; wait++) {
      Map<String, Object> entry = client.readEntry(transport);
      if (entry.get("validEntry").equals(true)) {
        System.out.println("may be unloaded since " + entry.get("timeOfEntry"));
        return;
      }
      System.out.println("not yet: " + entry.get("reasons"));
    }
    System.exit(1);
  }

  private static String levelOf(Map<String, Object> message) {
    if (message.containsKey("activeBorderTransportMeans")) return "transport";
    return message.containsKey("consignmentMasterLevel")
        ? "master-consignment"
        : "house-consignment";
  }
}
