import { useT } from '#app/i18n/t.ts';
import { CodeField } from './account-fields.tsx';
import type { useFormErrors } from './form-parts.tsx';

/** The step of a form at which a code is on its way: says where it went, and takes it. */
export function SentCode({
  id,
  to = '',
  says,
  errors,
  isAlone,
}: {
  /** Of the verification. */
  id: string;
  to: string | undefined;
  says: 'account.signIn.codeSent' | 'account.signUp.codeSent' | 'account.forgot.sent';
  errors: ReturnType<typeof useFormErrors>;
  /** Whether the form asks for nothing else. */
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
