import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many tests at once on one playground, each in a space of its own. */
class AtOnceTest {
  private static final String URL = System.getenv("PLAYGROUND_URL");
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static IntStream tests() {
    return IntStream.range(0, Integer.parseInt(System.getenv("TESTS")));
  }

  @ParameterizedTest
  @MethodSource("tests")
  void sees_what_it_did_itself(int index) throws Exception {
    Map<String, Object> space = Json.parseObject(control(URL, "POST", "/spaces", "{}"));
    String baseUrl = (String) space.get("baseUrl");
    String year = String.valueOf(2030 + index % 60);
    control(baseUrl, "PUT", "/clock", "{\"time\":\"" + year + "-01-01T00:00:00Z\",\"running\":false}");
    LandfallClient client = new LandfallClient(carrier(space));
    client.presentHouseConsignment(UUID.randomUUID(), "NO351001", "NO100000001MU", "N750");
    assertEquals(1, client.readSignals(null).size());
    assertTrue(control(baseUrl, "GET", "/clock", null).contains("\"" + year));
    control(
        baseUrl,
        "POST",
        "/verifications",
        "{\"operation\":\"presentHouseConsignment\",\"identity\":\"carrier\",\"times\":1}");
    control(URL, "DELETE", "/spaces/" + space.get("name"), null);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> carrier(Map<String, Object> space) {
    return ((List<Object>) space.get("identities"))
        .stream()
            .map(identity -> (Map<String, Object>) identity)
            .filter(identity -> identity.get("name").equals("carrier"))
            .findFirst()
            .orElseThrow();
  }

  private static String control(String baseUrl, String method, String path, String body)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(baseUrl + "/playground" + path))
            .timeout(Duration.ofMinutes(15))
            .header("Authorization", "Bearer " + System.getenv("PLAYGROUND_SECRET"))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (body != null) request.header("Content-Type", "application/json");
    HttpResponse<String> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertTrue(response.statusCode() < 300, response.body());
    return response.body();
  }
}
