import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** A client of Landfall in the JDK alone. It is safe for use by several threads. */
final class LandfallClient {
  /** How long a request may take. It is longer than the service waits for a new signal. */
  private static final Duration TIMEOUT = Duration.ofSeconds(40);

  private static final int[] ATTEMPT_PAUSES_S = {1, 2, 4, 8, 16};

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final Map<String, Object> credentials;
  private final String baseUrl;
  private final String idpUrl;
  private String token;
  private Instant tokenEnds = Instant.EPOCH;

  /** @param credentials as the playground writes them */
  LandfallClient(Map<String, Object> credentials) {
    this.credentials = credentials;
    this.baseUrl = (String) credentials.get("base_url");
    this.idpUrl = (String) credentials.get("idp_url");
  }

  /**
   * Presents a house consignment; returns when it is presented. A requestId is accepted once, so the same request is sent
   * until its outcome is known. Store the requestId before you call, and give it again after a crash.
   *
   * @throws RefusedException if it is not presented
   * @throws IOException if the outcome is unknown
   */
  void presentHouseConsignment(UUID requestId, String office, String documentNumber, String type)
      throws IOException, InterruptedException {
    String body =
        Json.write(
            Map.of(
                "requestId", requestId.toString(),
                "customsOfficeOfPresentation", office,
                "transportDocumentHouseLevel",
                    Map.of("documentNumber", documentNumber, "type", type)));
    for (int attempt = 0; ; attempt++) {
      try {
        call(
            request("/api/movement/presentation/v1/house-consignment")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
        return;
      } catch (RefusedException refusal) {
        if (!refusal.getMessage().contains("\"REQUEST_ID_REUSED\"")) throw refusal;
        // An earlier copy of this request came through: its status is the outcome.
        String path = "/api/movement/presentation/v1/validation-status/" + requestId;
        String status = call(request(path));
        if (Json.parseObject(status).get("status").equals("SUCCESS")) return;
        throw new RefusedException(400, status);
      } catch (IOException failure) {
        pauseOrThrow(attempt, failure);
      }
    }
  }

  /**
   * The routing signals after a marker, oldest first; waits up to 20 s for one. The next marker is the id of the last
   * signal. Store it when you have acted on the signal.
   *
   * @param marker null: from the beginning
   */
  List<RoutingSignal> readSignals(String marker) throws IOException, InterruptedException {
    String query = marker == null ? "" : "?marker=" + encode(marker);
    for (int attempt = 0; ; attempt++) {
      try {
        String signals =
            call(
                request("/api/movement/routing/v1/house-consignment" + query)
                    .header("Prefer", "wait=20"));
        return ((List<?>) Json.parse(signals)).stream().map(RoutingSignal::of).toList();
      } catch (RefusedException refusal) {
        throw refusal;
      } catch (IOException failure) {
        pauseOrThrow(attempt, failure);
      }
    }
  }

  /**
   * Lodges a movement message by road; returns its MRN. As with presenting, the requestId in the message is accepted once.
   *
   * @param level transport, master-consignment or house-consignment
   * @throws RefusedException with every rule that the message breaks: nothing is lodged
   * @throws IOException if the outcome is unknown
   */
  String lodge(String level, Map<String, Object> message)
      throws IOException, InterruptedException {
    String path = "/api/movement/road/v2/" + level;
    String statuses = "/api/movement/road/status/v2/" + level + "/validation-status";
    return settle(path, statuses, message);
  }

  /**
   * Reports that a transport has arrived, which presents its goods. The same report again changes nothing.
   *
   * @throws RefusedException if it is refused
   * @throws IOException if the outcome is unknown
   */
  void reportArrival(UUID requestId, String mrn, String office, Instant time)
      throws IOException, InterruptedException {
    Map<String, Object> arrival =
        Map.of(
            "requestId", requestId.toString(),
            "mrn", mrn,
            "dateAndTimeOfArrival", time.truncatedTo(ChronoUnit.SECONDS).toString(),
            "customsOfficeOfArrival", Map.of("referenceNumber", office));
    String path = "/api/movement/arrival/v1/transport-arrival";
    settle(path, "/api/movement/arrival/status/v1/transport-arrival/validation-status", arrival);
  }

  /** Whether the goods of a transport may be unloaded, and the reasons why not; waits up to 20 s for a change. */
  Map<String, Object> readEntry(String mrn) throws IOException, InterruptedException {
    String path = "/api/movement/road/status/v2/entry/status/" + encode(mrn);
    return Json.parseObject(call(request(path).header("Prefer", "wait=20")));
  }

  /** Sends a message until its status is known, and returns the MRN in it. */
  private String settle(String path, String statuses, Map<String, Object> message)
      throws IOException, InterruptedException {
    String body = Json.write(message);
    for (int attempt = 0; ; attempt++) {
      try {
        try {
          call(
              request(path)
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(body)));
        } catch (RefusedException refusal) {
          // An earlier copy of this request came through.
          if (!refusal.getMessage().contains("\"REQUEST_ID_REUSED\"")) throw refusal;
        }
        String status = call(request(statuses + "/" + message.get("requestId")));
        Map<String, Object> outcome = Json.parseObject(status);
        if (outcome.get("status").equals("FAILURE")) throw new RefusedException(200, status);
        return (String) outcome.get("mrn");
      } catch (RefusedException refusal) {
        throw refusal;
      } catch (IOException failure) {
        pauseOrThrow(attempt, failure);
      }
    }
  }

  private static void pauseOrThrow(int attempt, IOException failure)
      throws IOException, InterruptedException {
    if (attempt == ATTEMPT_PAUSES_S.length) throw failure;
    Thread.sleep(ATTEMPT_PAUSES_S[attempt] * 1000L);
  }

  private HttpRequest.Builder request(String path) throws IOException, InterruptedException {
    return HttpRequest.newBuilder(URI.create(baseUrl + path))
        .header("Authorization", "Bearer " + customsToken());
  }

  /** @throws IOException if there was no response, or the service is overloaded: it may be sent again */
  private String call(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> response =
        http.send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
    int status = response.statusCode();
    if (status < 300) return response.body();
    if (status == 429 || status >= 500) throw new IOException(status + " " + response.body());
    throw new RefusedException(status, response.body());
  }

  /** A customs token, used until one minute before it expires. */
  private synchronized String customsToken() throws IOException, InterruptedException {
    if (Instant.now().isBefore(tokenEnds)) return token;
    Map<String, Object> first =
        postForm(
            idpUrl + "/token",
            Map.of(
                "grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer",
                "assertion", signGrant()));
    Map<String, Object> exchanged =
        postForm(
            baseUrl + "/api/access/external/oauth/token",
            Map.of(
                "grant_type", "token-exchange",
                "subject_token_type", "access_token",
                "subject_token", (String) first.get("access_token")));
    token = (String) exchanged.get("access_token");
    tokenEnds = Instant.now().plusSeconds(((Double) exchanged.get("expires_in")).longValue() - 60);
    return token;
  }

  private Map<String, Object> postForm(String url, Map<String, String> form)
      throws IOException, InterruptedException {
    String body =
        form.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + encode(entry.getValue()))
            .collect(Collectors.joining("&"));
    return Json.parseObject(
        call(
            HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body))));
  }

  /** A JWT that requests the scopes, valid for one minute. */
  private String signGrant() {
    long now = Instant.now().getEpochSecond();
    List<?> scopes = (List<?>) credentials.get("scopes");
    Map<String, Object> header = Map.of("alg", "ES256", "x5c", credentials.get("x5c"));
    Map<String, Object> claims =
        Map.of(
            "iss", credentials.get("client_id"),
            "aud", idpUrl,
            "scope", scopes.stream().map(String::valueOf).collect(Collectors.joining(" ")),
            "iat", now,
            "exp", now + 60,
            "jti", UUID.randomUUID().toString());
    String unsigned = base64Url(Json.write(header)) + "." + base64Url(Json.write(claims));
    try {
      // The form in which JWS has a signature; an RSA key signs with SHA256withRSA.
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(privateKey());
      signature.update(unsigned.getBytes(StandardCharsets.US_ASCII));
      return unsigned + "." + base64Url(signature.sign());
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException("the key cannot sign", error);
    }
  }

  private PrivateKey privateKey() throws GeneralSecurityException {
    String pem = (String) credentials.get("private_key");
    byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]+-----", ""));
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
  }

  private static String base64Url(String text) {
    return base64Url(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64Url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
