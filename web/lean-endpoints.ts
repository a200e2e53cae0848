import type { Plugin } from 'vite';

/** Fields of an endpoint that only the server and the API reference read. */
const OF_SERVER = new Set(['params', 'query', 'body', 'reply', 'errors', 'summary', 'description']);
/** Functions that create schemas, besides the methods of `Type`. */
const SCHEMAS = new Set(['oneOf']);

/** Part of a module's syntax tree: ESTree, with types. */
interface Part {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Reduces the endpoints of the contract to what a browser's call needs: name, method, path, and how it is admitted.
 * Pages never validate (the server does), so schemas become 0 and typebox isn't loaded; endpoints become plain objects,
 * so those that no page uses are dropped. In the browser's half of the build only.
 */
export function leanEndpoints(): Plugin {
  return {
    name: 'lean-endpoints',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/src\/[^?]+\.ts$/, code: /from 'typebox'|\bendpoint\(/ },
      handler(code) {
        if (this.environment.name !== 'client') return undefined;
        return { code: lean(code, this.parse(code, { lang: 'ts' }) as unknown as Part), map: null };
      },
    },
  };
}

/** Returns the code of a module without its schemas. `program` is its syntax tree. */
export function lean(code: string, program: Part): string {
  const edits: Edit[] = [];
  const visit = (part: Part): void => {
    const edit = editOf(part);
    if (edit) {
      edits.push(edit);
      return;
    }
    if (isCall(part, 'endpoint')) edits.push(...withoutSchemas(part));
    else if (part.type === 'Identifier' && part['name'] === 'Type')
      throw new Error(`Type must be called: ${code.slice(part.start - 40, part.end + 40)}`);
    for (const next of partsOf(part)) if (!edits.some((edit) => covers(edit, next))) visit(next);
  };
  visit(program);
  return edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, text: instead }) => text.slice(0, start) + instead + text.slice(end), code);
}

function editOf(part: Part): Edit | undefined {
  const { type, start, end } = part;
  if (type === 'ImportDeclaration' && (part['source'] as Part)['value'] === 'typebox')
    return { start, end, text: '' };
  return isSchema(part) ? { start, end, text: '0' } : undefined;
}

function isSchema(part: Part): boolean {
  if (part.type !== 'CallExpression') return false;
  const callee = part['callee'] as Part;
  if (callee.type === 'Identifier') return SCHEMAS.has(callee['name'] as string);
  return callee.type === 'MemberExpression' && (callee['object'] as Part)['name'] === 'Type';
}

const isCall = (part: Part, name: string): boolean =>
  part.type === 'CallExpression' && (part['callee'] as Part)['name'] === name;

/** Makes `endpoint({ … })` the object in parentheses, without the fields of the server. */
function withoutSchemas(call: Part): Edit[] {
  const callee = call['callee'] as Part;
  const [spec] = call['arguments'] as readonly Part[];
  if (spec?.type !== 'ObjectExpression') return [];
  const properties = spec['properties'] as readonly Part[];
  const dropped = properties.flatMap((property, at): Edit[] => {
    const name = (property['key'] as Part | undefined)?.['name'];
    const end = properties[at + 1]?.start ?? spec.end - 1;
    return OF_SERVER.has(name as string) ? [{ start: property.start, end, text: '' }] : [];
  });
  return [{ start: callee.start, end: callee.end, text: '' }, ...dropped];
}

const covers = ({ start, end }: Edit, part: Part): boolean => start <= part.start && part.end <= end;

function partsOf(part: Part): Part[] {
  return Object.values(part)
    .flat()
    .filter((value): value is Part => typeof value === 'object' && value !== null && 'type' in value);
}
