import { ApiFailure, type ReadText, type SourceFacts } from '@bowerbird/contract';
import type { TaskRow } from '../task/index.ts';
import { readLink } from './link.ts';
import type { Creations, NewFetchRequest } from './offline-creation-service.ts';
import type { Questions, TextQuestion } from './offline-question-service.ts';

/** Fetches for members on behalf of later domains, even while the member is away. */
export interface UnattendedFetches {
  /** Creates a task as if the member had pasted the link. Throws `link_unsupported` if there is nothing to fetch. */
  fetch(account: string, link: string, options: UnattendedFetch): Promise<TaskRow>;
  /** Inspects a link. */
  look(link: string): Promise<SourceFacts>;
  /** Reads a small text from an address. */
  read(question: TextQuestion): Promise<ReadText>;
}

export type UnattendedFetch = Pick<NewFetchRequest, 'parent' | 'from'> &
  Required<Pick<NewFetchRequest, 'requestKey' | 'called'>> &
  Pick<NewFetchRequest, 'unless'>;

const TIMEOUT_MS = 60_000;

export function createUnattendedFetches({
  creations,
  questions,
  siteOrigin,
}: {
  creations: Creations;
  questions: Questions;
  siteOrigin: string | undefined;
}): UnattendedFetches {
  function specOf(line: string) {
    const link = readLink(line, siteOrigin ? [siteOrigin] : []);
    if (link.kind === 'source') return link.spec;
    // A share of this site is saved only at the request of a member, never automatically.
    throw new ApiFailure(link.kind === 'unreadable' ? link.error : 'link_unsupported');
  }

  return {
    fetch: async (account, link, options) =>
      creations.create(account, {
        spec: specOf(link),
        name: '',
        selection: undefined,
        priority: 'normal',
        startAt: 0,
        ...options,
      }),
    look: async (link) => questions.look(specOf(link), TIMEOUT_MS),
    read: (question) => questions.read(question),
  };
}
