/** Returns true if a transaction may succeed when it is repeated. */
export function isDeadlock(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === '40001' || code === '40P01';
}

/** Returns true if a row conflicted with another's unique columns, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === '23505' || (typeof message === 'string' && message.includes('UNIQUE constraint failed'));
}

/** Returns true if a row can't be deleted because others refer to it, on either database. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (
    code === '23503' || (typeof message === 'string' && message.includes('FOREIGN KEY constraint failed'))
  );
}
