import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import rules from '../../.dependency-cruiser.mjs';

/**
 * dependency-cruiser reads TypeScript with the compiler's JavaScript interface, which TypeScript 7 no longer has; under
 * it the cruiser sees no file and finds everything in order. This folder's own package.json brings TypeScript 6, and
 * whatever the cruiser imports under that name gets it.
 */
const ours = createRequire(import.meta.url);
registerHooks({
  resolve: (specifier, context, next) =>
    /^typescript(?:[/]|$)/.test(specifier) && context.parentURL?.includes('/dependency-cruiser/')
      ? { url: pathToFileURL(ours.resolve(specifier)).href, shortCircuit: true }
      : next(specifier, context),
});

export interface Findings {
  /** How many modules were looked at, so that a cruise that saw nothing cannot pass for a clean one. */
  readonly modules: number;
  /** One line per broken rule: `rule: from → to`. */
  readonly violations: readonly string[];
}

/** Judges the given folders of a checkout by the house rules. */
export async function cruiseHouse(root: string, folders: readonly string[]): Promise<Findings> {
  const { cruise } = await import('dependency-cruiser');
  const { default: extractTSConfig } = await import('dependency-cruiser/config-utl/extract-ts-config');
  const { output } = await cruise(
    [...folders],
    { ...rules.options, ruleSet: { forbidden: rules.forbidden as never[] }, validate: true, baseDir: root },
    undefined,
    { tsConfig: extractTSConfig(join(root, 'tsconfig.json')) },
  );
  if (typeof output === 'string') throw new Error(output);
  const { totalCruised, violations } = output.summary;
  return {
    modules: totalCruised,
    violations: violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
  };
}
