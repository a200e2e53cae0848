import { useT } from '#app/i18n/t.ts';
import { CodeField } from './account-fields.tsx';
import type { useFormErrors } from './form-parts.tsx';

/** Step of a form after a code was sent: shows the recipient, and accepts the code. */
export function SentCode({
  id,
  to = '',
  says,
  errors,
  isAlone,
}: {
  /** Id of the verification. */
  id: string;
  to: string | undefined;
  says: 'account.signIn.codeSent' | 'account.signUp.codeSent' | 'account.forgot.sent';
  errors: ReturnType<typeof useFormErrors>;
  /** True if the form asks for nothing else. */
  isAlone?: boolean;
}) {
  const t = useT();
  return (
    <>
      <input type="hidden" name="email" value={to} />
      <input type="hidden" name="verification_id" value={id} />
      <p className="text-ink-2">{t.rich(says, { email: <b className="font-semibold text-ink">{to}</b> })}</p>
      <CodeField errors={errors} to={to} isAlone={isAlone} />
    </>
  );
}
