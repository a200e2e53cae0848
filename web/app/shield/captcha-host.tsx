import { lazy, Suspense, useEffect, useState } from 'react';
import { hostChallenge, type Solved } from '#app/api/challenge.ts';

const CaptchaOverlay = lazy(() => import('./captcha-overlay.tsx'));

interface Question {
  readonly url: string;
  readonly answer: (solved: Solved | undefined) => void;
}

/** Shows challenges over the page when calls require them, one after the other. */
export function CaptchaHost() {
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  useEffect(() => hostChallenge((url, answer) => setQuestions((before) => [...before, { url, answer }])), []);
  const [first, ...rest] = questions;
  if (!first) return null;
  return (
    <Suspense>
      <CaptchaOverlay
        key={first.url}
        url={first.url}
        onAnswered={(solved) => {
          setQuestions(rest);
          first.answer(solved);
        }}
      />
    </Suspense>
  );
}
