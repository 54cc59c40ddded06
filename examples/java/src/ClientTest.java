import java.util.List;
import java.util.UUID;

/** Tests of the client against a playground of their own, without a test library: ClientTest */
final class ClientTest {
  private final Playground playground;
  private LandfallClient client;

  private ClientTest(Playground playground) {
    this.playground = playground;
  }

  public static void main(String[] arguments) throws Exception {
    try (Playground playground = new Playground()) {
      ClientTest tests = new ClientTest(playground);
      tests.run("goods that go to entry", tests::goodsThatGoToEntry);
      tests.run("unknown goods are refused", tests::unknownGoodsAreRefused);
      tests.run("a lost response presents once", tests::aLostResponsePresentsOnce);
    }
  }

  private void goodsThatGoToEntry() throws Exception {
    present("HC001", "N740");
    expect(List.of("HC001 TO_ENTRY"), signals());
  }

  private void unknownGoodsAreRefused() throws Exception {
    try {
      present("UNKNOWN", "N740");
    } catch (RefusedException refusal) {
      expect(400, refusal.status());
      return;
    }
    throw new AssertionError("was not refused");
  }

  private void aLostResponsePresentsOnce() throws Exception {
    playground.control("POST", "/scenarios", "{\"kind\":\"lost-response\",\"times\":1}");
    present("HC001", "N740");
    expect(List.of("HC001 TO_ENTRY"), signals());
    // Fails with what was sent instead.
    playground.control(
        "POST", "/verifications", "{\"scenario\":\"lost-response\",\"times\":1,\"within\":1000}");
  }

  private void present(String document, String type) throws Exception {
    client.presentHouseConsignment(UUID.randomUUID(), "NO351001", document, type);
  }

  private List<String> signals() throws Exception {
    return client.readSignals(null).stream()
        .map(signal -> signal.documentNumber() + " " + signal.routing())
        .toList();
  }

  private void run(String name, Test test) throws Exception {
    playground.control("POST", "/reset", "");
    client = new LandfallClient(playground.credentials("carrier"));
    test.run();
    System.out.println("passed: " + name);
  }

  private static void expect(Object expected, Object actual) {
    if (!expected.equals(actual)) throw new AssertionError(actual + " instead of " + expected);
  }

  private interface Test {
    void run() throws Exception;
  }
}
