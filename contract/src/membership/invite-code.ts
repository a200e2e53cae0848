/** Returns an invite code as it is stored, however it was typed; undefined if the text can't be one. */
export function inviteCodeIn(text: string | null | undefined): string | undefined {
  const code = text?.trim().toLowerCase() ?? '';
  return /^[a-z2-9]{8}$/.test(code) ? code : undefined;
}
