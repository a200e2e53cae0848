import {
  ApiFailure,
  type FetchOrder,
  type FetchSpec,
  type FetchWord,
  type ReadText,
  type SourceFacts,
} from '@bowerbird/contract';
import type { Fetcher, OrderWord } from './fetcher.ts';

/** Asks the fetcher what has one answer, and nothing to keep. */
export interface Questions {
  /** Looks at a source without fetching it; rejects with what is wrong with it. */
  look(spec: FetchSpec, patienceMs: number): Promise<SourceFacts>;
  /** Reads a small text; rejects likewise. */
  read(question: TextQuestion): Promise<ReadText>;
  /** True where a word was an answer. */
  hear(word: OrderWord): boolean;
  /** The fetcher died: nothing that was asked is answered any more. */
  lost(): void;
  /** As {@link Questions.lost}, and whatever is asked from now on. */
  close(): void;
}

export type TextQuestion = Omit<Extract<FetchOrder, { order: 'read' }>, 'order' | 'id'>;

type Answer = Extract<FetchWord, { word: 'facts' | 'text' }>;

export function createQuestions(fetcher: Pick<Fetcher, 'send'>): Questions {
  const asked = new Map<string, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  let count = 0;
  let closed = false;

  function ask<A extends Answer['word']>(
    orderOf: (id: string) => FetchOrder,
  ): Promise<Extract<Answer, { word: A }>> {
    if (closed) return Promise.reject(new ApiFailure('unavailable'));
    const id = `question-${(count += 1)}`;
    return new Promise((resolve, reject) => {
      asked.set(id, { resolve: resolve as (answer: Answer) => void, reject });
      fetcher.send(orderOf(id));
    });
  }

  const questions: Questions = {
    async look(spec, patienceMs) {
      return (await ask<'facts'>((id) => ({ order: 'inspect', id, spec, patienceMs }))).facts;
    },

    async read(question) {
      return ask<'text'>((id) => ({ order: 'read', id, ...question }));
    },

    hear(word) {
      const open = asked.get(word.id);
      if (!open) return false;
      asked.delete(word.id);
      if (word.word === 'facts' || word.word === 'text') open.resolve(word);
      else if (word.word === 'failed')
        open.reject(new ApiFailure(word.failure.error, { ...word.failure.facts }));
      return true;
    },

    lost() {
      for (const { reject } of asked.values()) reject(new ApiFailure('unavailable'));
      asked.clear();
    },

    close() {
      closed = true;
      questions.lost();
    },
  };
  return questions;
}
