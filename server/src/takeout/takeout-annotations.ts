import type { Drive } from '../drive/index.ts';
import type { Section } from './takeout-content.ts';
import { each } from './takeout-purchases.ts';

/** Tags, notes and looks of files, and pinned folders. */
export function annotationFacts(facts: Drive['annotationFacts'], account: string): Section[] {
  async function* tagged(): AsyncGenerator<object> {
    for await (const { name, file, node } of facts.tagged(account)) yield { tag: name, file, file_id: node };
  }
  async function* notes(): AsyncGenerator<object> {
    for await (const { file, node, ...rest } of facts.notes(account)) yield { file, file_id: node, ...rest };
  }
  return [
    { name: 'tags', rows: each(facts.tags(account), ({ name, color }) => ({ name, color })) },
    { name: 'tagged-files', rows: tagged() },
    { name: 'notes-and-colors', rows: notes() },
    {
      name: 'pinned-folders',
      rows: each(facts.pins(account), ({ name, file, node }) => ({ name, folder: file, folder_id: node })),
    },
  ];
}
