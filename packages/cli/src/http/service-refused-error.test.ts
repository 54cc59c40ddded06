// Error responses become readable lines.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRefusal } from './service-refused-error.js';

async function messageOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const init = { status, statusText: 'Some Text', headers };
  return (await readRefusal(new Response(text, init))).message;
}

describe('a refusal', () => {
  it('of a body lists each validation error once', async () => {
    const validationErrors = [
      { field: 'containerId', error: 'must not be null', code: 'REQUIRED' },
      { field: '', error: 'must be an object', code: 'FORMAT' },
    ];
    const problem = {
      title: 'Bad Request',
      detail: 'containerId must not be null',
      validationErrors,
    };
    assert.equal(
      await messageOf(400, problem),
      'refused (400 Bad Request)\n  containerId: must not be null (REQUIRED)\n  body: must be an object (FORMAT)',
    );
  });

  it('without validation errors has the detail, and when to retry', async () => {
    const problem = { title: 'Service Unavailable', detail: 'draining' };
    assert.equal(
      await messageOf(503, problem, { 'Retry-After': '1' }),
      'refused (503 Service Unavailable): draining (try again in 1 s)',
    );
  });

  it('in OAuth form has the description', async () => {
    assert.equal(
      await messageOf(400, { error: 'invalid_scope', error_description: 'not authorized' }),
      'refused (400): invalid_scope: not authorized',
    );
  });

  it('from a proxy has the status', async () => {
    assert.equal(await messageOf(502, '<html>'), 'refused (502 Some Text)');
    assert.equal(await messageOf(502, 'null'), 'refused (502 Some Text)');
  });

  it('contains no control characters', async () => {
    assert.doesNotMatch(await messageOf(400, { title: '\u001b[2J' }), /\u001b/);
  });
});
