/** The problems that a campaign found, and its counts. */
export class Findings {
  readonly list: { readonly at: string; readonly text: string }[] = [];
  readonly counts: Record<string, number> = {};

  add(text: string): void {
    const finding = { at: new Date().toISOString(), text };
    this.list.push(finding);
    process.stdout.write(`FOUND ${finding.at} ${text}\n`);
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }
}
