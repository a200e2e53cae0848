import { ApiFailure } from '@bowerbird/contract';

/**
 * Parses a body by its content, not by its Content-Type: clients send JSON text under a form's type, and
 * forms. Returns an object; repeated form fields become arrays.
 */
export function parseBody(bytes: Buffer): Record<string, unknown> {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const first = text.trimStart()[0];
  if (first === undefined) return {};
  if (first === '{' || first === '[') {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new ApiFailure('invalid_argument', { field: 'body', reason: 'not valid JSON' });
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ApiFailure('invalid_argument', { field: 'body', reason: 'not an object' });
    return value as Record<string, unknown>;
  }
  const fields: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    fields[name] =
      known === undefined ? value : Array.isArray(known) ? [...(known as unknown[]), value] : [known, value];
  }
  return fields;
}

const LINE_FEED = 10;

/** Splits a request into its body, which is the first line, and the bytes that follow. */
export function splitBytes(request: Buffer): { body: Record<string, unknown>; bytes: Uint8Array } {
  const at = request.indexOf(LINE_FEED);
  const end = at < 0 ? request.length : at;
  return { body: parseBody(request.subarray(0, end)), bytes: request.subarray(end + 1) };
}
