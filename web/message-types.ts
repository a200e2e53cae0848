import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messagePlaceholders } from '@bowerbird/contract';

export const sourceCatalogue = join(import.meta.dirname, '..', 'locales', 'en-US.json');
const output = join(import.meta.dirname, 'app', 'i18n', '+types', 'messages.d.ts');

/** Writes the types of all message placeholders, so that the compiler checks `t('share.files', { count })`. */
export function writeMessageTypes(): void {
  const messages = JSON.parse(readFileSync(sourceCatalogue, 'utf8')) as Record<string, string>;
  const lines = Object.entries(messages).map(([key, message]) => `  '${key}': ${typeOf(key, message)};`);
  const text = `// Made from locales/en-US.json by web/message-types.ts.\nexport interface Messages {\n${lines.join('\n')}\n}\n`;
  if (existsSync(output) && readFileSync(output, 'utf8') === text) return;
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, text);
}

function typeOf(key: string, message: string): string {
  try {
    const names = [...messagePlaceholders(message)];
    return names.length === 0
      ? 'Record<never, never>'
      : `{ ${names.map(([name, kind]) => `${name}: ${kind === 'number' ? 'number' : 'string | number'}`).join('; ')} }`;
  } catch (error) {
    throw new Error(`locales/en-US.json, ${key}: ${(error as Error).message}`, { cause: error });
  }
}

if (import.meta.main) writeMessageTypes();
