// Errors of the client become readable lines that say what to do.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, ConnectionError, TokenError } from '@landfall/client';
import { explainFailure } from './explain-failure.js';

function explain(error: unknown, options = {}): string {
  const explained = explainFailure(error, options);
  assert.ok(explained instanceof Error);
  return explained.message;
}

function refusal(members: Partial<ApiError>): ApiError {
  return new ApiError({
    operationId: 'presentContainer',
    status: 400,
    title: 'Bad Request',
    detail: undefined,
    requestId: undefined,
    validationErrors: [],
    errorCount: undefined,
    published: undefined,
    retryAfterMs: undefined,
    ...members,
  });
}

describe('a refusal', () => {
  it('lists each validation error once', () => {
    const validationErrors = [
      { field: 'containerId', error: 'must not be null', code: 'REQUIRED' as const },
      { field: '', error: 'must be an object', code: 'FORMAT' as const },
    ];
    const detail = 'containerId must not be null';
    assert.equal(
      explain(refusal({ detail, validationErrors, errorCount: 3 })),
      'refused (400 Bad Request)\n  containerId: must not be null (REQUIRED)\n  body: must be an object (FORMAT)\n  and 1 more',
    );
  });

  it('without validation errors has the detail, and when to retry', () => {
    const members = { status: 503, title: 'Service Unavailable', detail: 'draining' };
    assert.equal(
      explain(refusal({ ...members, retryAfterMs: 1000 })),
      'refused (503 Service Unavailable): draining (try again in 1 s)',
    );
  });

  it('contains no control characters', () => {
    assert.doesNotMatch(explain(refusal({ title: '\u001b[2J' })), /\u001b/);
  });
});

it('a refused token says who refused it and why', () => {
  const failure = { status: 400, error: 'invalid_scope', description: 'not authorized' };
  assert.equal(
    explain(new TokenError('exchange', failure)),
    'the token exchange refused (400): invalid_scope: not authorized',
  );
});

describe('a service that cannot be reached', () => {
  const options = { data: '.landfall' };
  const unreachable = (address: string) =>
    new ConnectionError(`cannot reach ${address} (ECONNREFUSED)`);

  it('on this machine may be a playground that is not running', () => {
    const message = explain(unreachable('http://127.0.0.1:8080'), options);
    assert.match(message, /^cannot reach .*; if the playground is not running, start it: /);
    const cause = new TokenError('exchange', { cause: unreachable('http://localhost:8080') });
    assert.match(explain(cause, options), /start it/);
  });

  it('elsewhere is never a playground', () => {
    const message = 'cannot reach https://customs.example (ECONNREFUSED)';
    assert.equal(explain(unreachable('https://customs.example'), options), message);
  });

  it('with an expired or untrusted certificate says so', () => {
    const refused = (code: string) =>
      explain(new ConnectionError(`cannot reach https://customs.example (${code})`), options);
    assert.match(
      refused('CERT_HAS_EXPIRED'),
      /^the TLS certificate of https:\/\/customs\.example has expired: /,
    );
    assert.match(refused('SELF_SIGNED_CERT_IN_CHAIN'), /NODE_EXTRA_CA_CERTS/);
  });

  it('that was connected has lost the connection', () => {
    const lost = new ConnectionError('cannot reach http://127.0.0.1:80 (UND_ERR_SOCKET)', {
      outcomeUnknown: true,
    });
    assert.equal(
      explain(lost, options),
      'the connection was lost: http://127.0.0.1:80 (UND_ERR_SOCKET)',
    );
  });
});

it('any other error is unchanged', () => {
  const error = new Error('a bug');
  assert.equal(explainFailure(error), error);
});
