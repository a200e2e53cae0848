import { createHash } from 'node:crypto';
import { ERRORS, type EndpointSpec, type ErrorId } from '@bowerbird/contract';
import { errorText } from '../foundation/index.ts';
import { BYTES_FOLLOW, errorsOf, tagOf, type Schema } from './openapi.ts';
import { referenceStyle } from './reference-style.ts';

const DEEPEST = 3;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);
const code = (text: string): string => `<code>${escaped(text)}</code>`;
const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const MARK = `<svg viewBox="0 0 32 32" width="26" height="26" fill="none" aria-hidden="true"><path d="M5 27C5 14 9.5 7 16 3.8C22.5 7 27 14 27 27M10 27C10 18 12 12.7 16 9.4C20 12.7 22 18 22 27" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/><circle cx="16" cy="24.6" r="3.1" fill="var(--blue)"/></svg>`;

function typeText(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => code(value)).join(' ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ');
  if (schema.items) return `array of ${typeText(schema.items)}`;
  if (schema.patternProperties) {
    return `map of ${Object.values(schema.patternProperties).map(typeText).join(' or ')}`;
  }
  return schema.type ?? 'any';
}

/** The object in a field, even inside an array or next to null. */
function inside(schema: Schema): Schema | undefined {
  if (schema.properties) return schema;
  if (schema.items) return inside(schema.items);
  return schema.anyOf?.map(inside).find((found) => found !== undefined);
}

function rows(schema: Schema, prefix = '', depth = 0): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, field]) => {
      const needed = schema.required?.includes(name) ? '' : '<span class="maybe">optional</span>';
      const nested = depth < DEEPEST ? inside(field) : undefined;
      const path = prefix + name;
      const step = field.items ? `${path}[].` : `${path}.`;
      const says = field.description === undefined ? '' : prose(field.description);
      return (
        `<tr><th scope="row"><code>${escaped(path)}</code> ${needed}</th><td>${typeText(field)}</td><td>${says}</td></tr>` +
        (nested ? rows(nested, step, depth + 1) : '')
      );
    })
    .join('');
}

function table(title: string, schema: Schema | undefined, folded = false): string {
  const found = schema && (inside(schema) ?? schema);
  const lines = found ? rows(found) : '';
  if (lines === '') return folded ? `<p class="quiet">${title}: ${code('{}')}</p>` : '';
  const body = `<div class="wide"><table><thead><tr><th>Field</th><th>Type</th><th>Description</th></tr></thead><tbody>${lines}</tbody></table></div>`;
  return folded ? `<details><summary>${title}</summary>${body}</details>` : `<h4>${title}</h4>${body}`;
}

const CREDENTIALS = {
  none: 'Anyone can make this call.',
  optional: 'Anyone can make this call; members see more.',
  required: 'Only members can make this call.',
} as const;

function callSection(spec: EndpointSpec): string {
  const errors = errorsOf(spec).map((id) => `<a href="#error-${id}">${code(id)}</a>`);
  const needs = spec.captcha === 'reward' ? 'The service may ask for' : 'Visitors need';
  const captcha = spec.captcha
    ? ` ${needs} a captcha token${spec.captcha === 'reward' ? '' : ' if the service requires it'}.`
    : '';
  const description = spec.description === undefined ? '' : `<p>${prose(spec.description)}</p>`;
  const bytes = spec.bytes ? `<p>${prose(BYTES_FOLLOW)}</p>` : '';
  return `<section class="call" id="${escaped(spec.name)}">
<h3><span class="method ${spec.method.toLowerCase()}">${spec.method}</span> <code>${escaped(spec.path)}</code></h3>
<p>${escaped(spec.summary)}</p>
${description}${bytes}
<p class="quiet">${CREDENTIALS[spec.credentials]}${captcha}</p>
${table('Path parameters', spec.params)}${table('Query parameters', spec.query)}${table('Request body', spec.body)}
${table('Response', spec.reply, true)}
<p class="errors"><span class="quiet">Errors</span> ${errors.join(' ')}</p>
</section>`;
}

function errorRow(id: ErrorId): string {
  const { code: number, status } = ERRORS[id];
  return `<tr id="error-${id}"><th scope="row">${code(id)}</th><td>${number}</td><td>${status}</td><td>${escaped(errorText('en-US', id))}</td></tr>`;
}

const INTRODUCTION = `<section id="begin"><h2>Getting started</h2>
<p>Sign in with <code>POST /v1/auth/signin</code> and send the <code>access_token</code> with each call as <code>Authorization: Bearer …</code>. It expires after two hours; exchange the <code>refresh_token</code> at <code>POST /v1/auth/token</code> for a new pair. Identify your program with <code>x-client-id</code> and the device with <code>x-device-id</code>.</p>
<ul>
<li>Request bodies are JSON objects or forms, detected from the content. <code>null</code> means absent. Unknown fields are ignored.</li>
<li>Sizes and counts are decimal strings. Times are RFC 3339 strings with milliseconds and offset. IDs are opaque. The ID of the root folder is the empty string.</li>
<li>Lists return a <code>next_page_token</code>. Send it unchanged as <code>page_token</code> until it is empty.</li>
<li>Send an <code>Idempotency-Key</code> with each change, so that retries take effect only once. If the server can’t tell whether the first attempt took effect, it returns <code>outcome_unknown</code>: check the result before you try again with another key.</li>
<li>Messages for people are in the language of <code>Accept-Language</code>. Programs should check <code>error</code> instead.</li>
</ul>
<p>Machine-readable: <a href="/openapi.json">OpenAPI 3.1</a>.</p></section>`;

/** The reference of the contract as one self-contained page, and the policy it is sent with. */
export function referencePage(endpoints: readonly EndpointSpec[]): { html: string; policy: string } {
  const groups = Map.groupBy(endpoints, tagOf);
  const links = [...groups].map(
    ([tag, specs]) =>
      `<li><a href="#${tag}">${tag}</a><ul>${specs.map((spec) => `<li><a href="#${spec.name}">${escaped(spec.summary)}</a></li>`).join('')}</ul></li>`,
  );
  const sections = [...groups].map(
    ([tag, specs]) => `<section id="${tag}"><h2>${tag}</h2>${specs.map(callSection).join('\n')}</section>`,
  );
  const errors = Object.keys(ERRORS).map((id) => errorRow(id as ErrorId));
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Bowerbird</title>
<link rel="icon" href="/favicon.svg">
<style>${referenceStyle}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a class="home" href="/">${MARK} Bowerbird</a><span class="quiet">API reference</span></header>
<nav aria-label="Contents"><ul><li><a href="#begin">Getting started</a></li>${links.join('')}<li><a href="#errors">Errors</a></li></ul></nav>
<main id="main" tabindex="-1">
<h1>API reference</h1>
${INTRODUCTION}
${sections.join('\n')}
<section id="errors"><h2>Errors</h2>
<p>Every response with a status of 400 or higher contains <code>error</code>, <code>error_code</code>, <code>error_description</code>, <code>error_url</code> and <code>details</code>.</p>
<div class="wide"><table><thead><tr><th>Identifier</th><th>Code</th><th>Status</th><th>Message</th></tr></thead><tbody>${errors.join('')}</tbody></table></div>
</section>
</main>
</body>
</html>
`;
  const style = createHash('sha256').update(referenceStyle).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${style}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { html, policy };
}
