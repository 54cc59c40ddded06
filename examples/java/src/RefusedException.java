import java.io.IOException;

/** The service refused the request. The same request will be refused again. */
final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /** @param problem the body of the response, which says why */
  RefusedException(int status, String problem) {
    super(problem);
    this.status = status;
  }

  int status() {
    return status;
  }
}
