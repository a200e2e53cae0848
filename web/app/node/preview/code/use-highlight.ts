import { useEffect, useState } from 'react';
import type { AskedCode, SaidCode } from './highlight-worker.ts';
import { languageOf } from './languages.ts';

/** Number of letters of the longest text that is colored. */
const MOST = 1024 * 1024;
/** Some texts make the rules for a language take forever. */
const PATIENCE_MS = 4000;

/**
 * Colors of a program, line by line, computed in a worker; `undefined` until they are known, and for texts without a known
 * syntax, too long ones, and those that take too long.
 */
export function useHighlight(name: string, code: string): SaidCode | undefined {
  const language = code.length <= MOST ? languageOf(name) : undefined;
  const [colored, setColored] = useState<{ readonly code: string; readonly lines: SaidCode }>();
  useEffect(() => {
    if (language === undefined || code === '') return undefined;
    const worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
    const timer = setTimeout(() => worker.terminate(), PATIENCE_MS);
    worker.addEventListener('message', ({ data }: MessageEvent<SaidCode>) => {
      setColored({ code, lines: data });
      worker.terminate();
    });
    worker.postMessage({ code: code.replaceAll(/\r\n?/g, '\n'), language } satisfies AskedCode);
    return () => {
      clearTimeout(timer);
      worker.terminate();
    };
  }, [code, language]);
  return colored?.code === code ? colored.lines : undefined;
}
