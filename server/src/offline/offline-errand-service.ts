import { ApiFailure, type ReadText, type SourceFacts } from '@bowerbird/contract';
import type { TaskRow } from '../task/index.ts';
import { readLink } from './link.ts';
import type { Creations, Order } from './offline-creation-service.ts';
import type { Questions, TextQuestion } from './offline-question-service.ts';

/** What later domains have fetched for members who are not looking. */
export interface Errands {
  /** As if the member pasted the link. Refuses what is no link to fetch with `link_unsupported`. */
  fetch(account: string, link: string, errand: Errand): Promise<TaskRow>;
  /** What a link leads to just now. */
  look(link: string): Promise<SourceFacts>;
  /** A small text from an address. */
  read(question: TextQuestion): Promise<ReadText>;
}

export type Errand = Pick<Order, 'parent' | 'from'> &
  Required<Pick<Order, 'requestKey' | 'called'>> &
  Pick<Order, 'unless'>;

const PATIENCE_MS = 60_000;

export function createErrands({
  creations,
  questions,
  siteOrigin,
}: {
  creations: Creations;
  questions: Questions;
  siteOrigin: string | undefined;
}): Errands {
  function specOf(line: string) {
    const link = readLink(line, siteOrigin ? [siteOrigin] : []);
    if (link.kind === 'source') return link.spec;
    // A share of this site is saved by who looks at it, never by itself.
    throw new ApiFailure(link.kind === 'unreadable' ? link.error : 'link_unsupported');
  }

  return {
    fetch: async (account, link, errand) =>
      creations.create(account, {
        spec: specOf(link),
        name: '',
        selection: undefined,
        priority: 'normal',
        startAt: 0,
        ...errand,
      }),
    look: async (link) => questions.look(specOf(link), PATIENCE_MS),
    read: (question) => questions.read(question),
  };
}
