/** Passcode of the home page's shares. */
export const PASSCODE = 'k7pm';

export function DemoPasscode() {
  return (
    <span className="rounded-small bg-sunken px-1.5 py-0.5 font-mono text-ink ring-1 ring-line">
      {PASSCODE}
    </span>
  );
}
