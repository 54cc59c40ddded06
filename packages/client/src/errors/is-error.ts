// Recognises errors of the platform. Where code runs in a context of its own, as in Jest, `instanceof Error` is false for
// them, because their class is that of another context.

/** Whether a value is an error, of this context or another one. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
