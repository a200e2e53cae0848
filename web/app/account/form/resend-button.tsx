import { useEffect, useRef, useState } from 'react';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import type { FormResult } from './account-form.ts';

/** Requests another code, as soon as that is allowed. */
export function ResendButton({ verification }: { verification: NonNullable<FormResult['verification']> }) {
  const t = useT();
  const { retryIn = 0 } = verification;
  const [left, setLeft] = useState(retryIn);
  const until = useRef(0);
  useEffect(() => {
    // The reply to a wrong code doesn't contain a wait: the previous one continues.
    if (verification.retryIn !== undefined) until.current = Date.now() + verification.retryIn * 1000;
    const look = (): void => {
      const seconds = Math.max(0, Math.ceil((until.current - Date.now()) / 1000));
      setLeft(seconds);
      if (seconds === 0) clearInterval(timer);
    };
    const timer = setInterval(look, 1000);
    look();
    return () => clearInterval(timer);
  }, [verification]);
  return (
    <Button
      type="submit"
      name="step"
      value="code"
      variant="plain"
      formNoValidate
      disabled={left > 0}
      className="w-full tabular-nums"
    >
      {left > 0 ? t('account.code.againIn', { count: left }) : t('account.signUp.sendAgain')}
    </Button>
  );
}
