// The health check of the image: 0 if the service on this machine is alive, else 1.
const { PORT = '8080' } = process.env;

try {
  const response = await fetch(`http://127.0.0.1:${PORT}/livez`, {
    signal: AbortSignal.timeout(4000),
  });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
