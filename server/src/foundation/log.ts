import { pino, type Logger } from 'pino';

export type Log = Logger;

/**
 * Writes structured lines to standard output. Secrets are removed wherever they occur in an object. `fields` are part of
 * each line.
 */
export function createLog(
  level: string,
  destination?: { write(line: string): void },
  fields: Readonly<Record<string, unknown>> | null = null,
): Log {
  const secrets = [
    'password',
    'pass_code',
    'custom_pass_code',
    'token',
    'access_token',
    'refresh_token',
    'pass_code_token',
    'captcha_token',
    'authorization',
    'cookie',
    'setup_token',
    'verification_code',
    'secret',
  ];
  return pino(
    {
      level,
      base: fields,
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' },
    },
    destination as never,
  );
}

/**
 * Path of a URL without the query: queries contain passcodes, tokens and signatures. The one path that is a
 * secret itself is truncated.
 */
export function pathOnly(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return path.replace(/\/setup\/.+$/, '/setup/***');
}
