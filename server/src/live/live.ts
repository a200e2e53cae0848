import { LIVE_TOPICS, type LiveTopic } from '@bowerbird/contract';

/** Longest text that PostgreSQL passes on is 8,000 bytes. */
const LONGEST_TEXT = 7_800;

/** Texts by which servers tell each other about changes. */
export function changeTexts(changes: ReadonlyMap<string, ReadonlySet<LiveTopic>>): string[] {
  const texts: string[] = [];
  let text = '';
  for (const [account, topics] of changes) {
    const entry = [account, ...[...topics].map((topic) => LIVE_TOPICS.indexOf(topic))].join(',');
    if (text !== '' && text.length + entry.length >= LONGEST_TEXT) {
      texts.push(text);
      text = '';
    }
    text += text === '' ? entry : `;${entry}`;
  }
  if (text !== '') texts.push(text);
  return texts;
}

/** Reads {@link changeTexts}; topics that only newer servers know are left out. */
export function changesOf(text: string): ReadonlyMap<string, ReadonlySet<LiveTopic>> {
  return new Map(
    text.split(';').map((entry) => {
      const [account = '', ...topics] = entry.split(',');
      const known = topics.map((at) => LIVE_TOPICS[Number(at)]).filter((topic) => topic !== undefined);
      return [account, new Set<LiveTopic>(known)];
    }),
  );
}

/** An event as `text/event-stream` writes it. */
export const eventText = (name: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
