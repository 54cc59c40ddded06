import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A playground for a test suite, on a free port and without data: a program that this one starts. It stops when this program
 * ends, however that happens, because its standard input is closed then.
 */
final class Playground implements AutoCloseable {
  /** How long a start may take, in seconds; most take less than five. */
  private static final int START_TIMEOUT = 120;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final String baseUrl;
  private final List<?> identities;

  Playground() throws IOException {
    Path errors = Files.createTempFile("playground", ".log");
    errors.toFile().deleteOnExit();
    process =
        new ProcessBuilder("npx", "landfall", "playground", "--port", "0", "--json")
            .redirectError(errors.toFile())
            .start();
    CompletableFuture<?> late =
        CompletableFuture.runAsync(
            process::destroy,
            CompletableFuture.delayedExecutor(START_TIMEOUT, TimeUnit.SECONDS));
    String line =
        new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    late.cancel(false);
    if (line == null) {
      close();
      throw new IOException("the playground did not start:\n" + Files.readString(errors));
    }
    Map<String, Object> started = Json.parseObject(line);
    baseUrl = (String) started.get("baseUrl");
    identities = (List<?>) started.get("identities");
  }

  /** The credentials of an identity, such as carrier. */
  @SuppressWarnings("unchecked")
  Map<String, Object> credentials(String name) {
    return identities.stream()
        .map(identity -> (Map<String, Object>) identity)
        .filter(identity -> identity.get("name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Calls a control address, such as POST /reset; the body is JSON, or empty. */
  String control(String method, String path, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(baseUrl + "/playground" + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!body.isEmpty()) request.header("Content-Type", "application/json");
    HttpResponse<String> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() >= 300) throw new IOException(response.body());
    return response.body();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
