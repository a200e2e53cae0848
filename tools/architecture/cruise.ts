import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import rules from '../../.dependency-cruiser.mjs';

/**
 * dependency-cruiser reads TypeScript through the compiler's JavaScript API, which TypeScript 7 no longer has; with
 * it, the cruiser finds no files and reports no violations. This folder's own package.json provides TypeScript 6, and
 * every import of that name by the cruiser is redirected to it.
 */
const ours = createRequire(import.meta.url);
registerHooks({
  resolve: (specifier, context, next) =>
    /^typescript(?:[/]|$)/.test(specifier) && context.parentURL?.includes('/dependency-cruiser/')
      ? { url: pathToFileURL(ours.resolve(specifier)).href, shortCircuit: true }
      : next(specifier, context),
});

export interface Findings {
  /** Number of modules checked, so that a run that found none can't pass as clean. */
  readonly modules: number;
  /** One line per violation: `rule: from → to`. */
  readonly violations: readonly string[];
}

/** Checks the given folders of a checkout against the dependency rules. */
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
