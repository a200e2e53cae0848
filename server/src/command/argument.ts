import type { App } from '../app.ts';
import { CommandMistake } from './command-mistake.ts';
import { readSize } from '../foundation/index.ts';

// Arguments that several commands have in common.

export const DAY_MS = 24 * 3600 * 1000;
/** Most days for which a plan or storage can be granted: a century. */
export const MOST_DAYS = 36_500;

/** `2026-11-30`, in UTC. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Parses a whole number from 1; throws a CommandMistake that names it. */
export function wholeNumber(name: string, text: string, most: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new CommandMistake(`The ${name} must be a whole number from 1 to ${most}.`);
  return number;
}

/** Parses a size in bytes; throws a CommandMistake. */
export function sizeOf(text: string): number {
  try {
    return readSize(text);
  } catch (error) {
    throw new CommandMistake(`The size ${(error as Error).message}`, { cause: error });
  }
}

/** Finds a plan other than the free one; throws a CommandMistake. */
export function planOf({ plans }: App, id: string): NonNullable<ReturnType<App['plans']['find']>> {
  const plan = plans.find(id);
  if (plan && plan !== plans.free) return plan;
  const others = plans.ids.filter((one) => one !== plans.free.id);
  throw new CommandMistake(`Which plan? It’s one of: ${others.join(', ')}.`);
}
