import { parseMessage } from '@bowerbird/contract';
import type { MessagePart } from '@bowerbird/contract';

/** Parts that a translation must have in common with its source. */
export interface MessageShape {
  readonly placeholders: ReadonlySet<string>;
  readonly choices: readonly Choice[];
  /** The text that a person reads, without placeholders. */
  readonly text: string;
}

export interface Choice {
  readonly name: string;
  readonly kind: 'plural' | 'select';
  readonly forms: readonly string[];
}

/** Throws a SyntaxError with the problem and its position. */
export function readMessage(message: string): MessageShape {
  const placeholders = new Set<string>();
  const choices: Choice[] = [];
  let text = '';
  const walk = (parts: readonly MessagePart[]): void => {
    for (const part of parts) {
      if (typeof part === 'string') text += part;
      else if (part.kind !== 'count') {
        placeholders.add(part.name);
        if (part.kind === 'value') continue;
        choices.push({ name: part.name, kind: part.kind, forms: [...part.forms.keys()] });
        for (const form of part.forms.values()) walk(form);
      }
    }
  };
  walk(parseMessage(message));
  return { placeholders, choices, text };
}
