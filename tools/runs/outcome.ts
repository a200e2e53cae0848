import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

/** The variable that contains the name of the file to write. */
export const OUTCOME_FILE = 'TEST_OUTCOME_FILE';

export interface Outcome {
  /** Number of tests. */
  readonly passed: number;
  /**
   * Number of tests that failed, of files that could not be run, and of errors outside of tests; at least 1 unless the
   * run passed.
   */
  readonly failed: number;
}

/**
 * Writes the outcome of a run to a file at its end. Vitest's own JSON report omits errors outside of tests, and without
 * them the exit code would be needed, which never comes if the runner doesn't exit.
 */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (files, errors, reason) => {
    const states = files.flatMap((file) => [...file.children.allTests()].map((test) => test.result().state));
    const failed =
      states.filter((state) => state === 'failed').length +
      files.reduce((sum, file) => sum + file.errors().length, 0) +
      errors.length;
    const outcome: Outcome = {
      passed: states.filter((state) => state === 'passed').length,
      failed: reason === 'passed' ? failed : Math.max(failed, 1),
    };
    const file = process.env[OUTCOME_FILE];
    if (file) writeFileSync(file, JSON.stringify(outcome));
  };
}
