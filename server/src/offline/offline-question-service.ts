import {
  ApiFailure,
  type FetchCommand,
  type FetchSpec,
  type FetchEvent,
  type ReadText,
  type SourceFacts,
} from '@bowerbird/contract';
import type { Fetcher, CommandEvent } from './fetcher.ts';

/** Sends the fetcher requests that have one answer and store nothing. */
export interface Questions {
  /** Inspects a source without fetching it; rejects with an ApiFailure. */
  look(spec: FetchSpec, timeoutMs: number): Promise<SourceFacts>;
  /** Reads a small text; rejects with an ApiFailure. */
  read(question: TextQuestion): Promise<ReadText>;
  /** Handles an event. Returns true if it was the answer to a request. */
  onEvent(event: CommandEvent): boolean;
  /** Rejects all open requests, after a crash of the fetcher. */
  rejectAll(): void;
  /** Rejects all open requests and all later ones. */
  close(): void;
}

export type TextQuestion = Omit<Extract<FetchCommand, { type: 'read' }>, 'type' | 'id'>;

type Answer = Extract<FetchEvent, { type: 'facts' | 'text' }>;

export function createQuestions(fetcher: Pick<Fetcher, 'send'>): Questions {
  const asked = new Map<string, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  let count = 0;
  let closed = false;

  function ask<A extends Answer['type']>(
    commandOf: (id: string) => FetchCommand,
  ): Promise<Extract<Answer, { type: A }>> {
    if (closed) return Promise.reject(new ApiFailure('unavailable'));
    const id = `question-${(count += 1)}`;
    return new Promise((resolve, reject) => {
      asked.set(id, { resolve: resolve as (answer: Answer) => void, reject });
      fetcher.send(commandOf(id));
    });
  }

  const questions: Questions = {
    async look(spec, timeoutMs) {
      return (await ask<'facts'>((id) => ({ type: 'inspect', id, spec, timeoutMs }))).facts;
    },

    async read(question) {
      return ask<'text'>((id) => ({ type: 'read', id, ...question }));
    },

    onEvent(event) {
      const open = asked.get(event.id);
      if (!open) return false;
      asked.delete(event.id);
      if (event.type === 'facts' || event.type === 'text') open.resolve(event);
      else if (event.type === 'failed')
        open.reject(new ApiFailure(event.failure.error, { ...event.failure.facts }));
      return true;
    },

    rejectAll() {
      for (const { reject } of asked.values()) reject(new ApiFailure('unavailable'));
      asked.clear();
    },

    close() {
      closed = true;
      questions.rejectAll();
    },
  };
  return questions;
}
