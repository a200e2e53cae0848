import { expect, test } from 'vitest';
import { parseCompletion, xmlDocument } from './object-xml.ts';

const part = (number: number | string, etag: string): string =>
  `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`;

test('the parts of a completion are parsed, with quoted and bare tags, with and without a namespace', async () => {
  const inner =
    part(1, '&quot;1-ab&quot;') +
    part(2, '"1-cd"') +
    part(3, '1-ef') +
    `<Part><ETag>&#34;x&#34;</ETag><PartNumber> 4 </PartNumber><ChecksumCRC32>AA==</ChecksumCRC32></Part>`;
  const parts = [
    ['1-ab', 1],
    ['1-cd', 2],
    ['1-ef', 3],
    ['x', 4],
  ].map(([etag, number]) => ({ number, etag }));
  expect(
    await parseCompletion(
      `<?xml version="1.0"?>\n<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\n${inner}\n</CompleteMultipartUpload>`,
    ),
  ).toEqual(parts);
  expect(await parseCompletion(`<CompleteMultipartUpload>${inner}</CompleteMultipartUpload>`)).toEqual(parts);
});

test('ten thousand parts are parsed', async () => {
  const inner = Array.from({ length: 10_000 }, (_, at) => part(at + 1, `1-${at}`)).join('');
  const parts = (await parseCompletion(`<CompleteMultipartUpload>${inner}</CompleteMultipartUpload>`))!;
  expect(parts).toHaveLength(10_000);
  expect(parts.at(-1)).toEqual({ number: 10_000, etag: '1-9999' });
});

test.each([
  ['nothing', ''],
  ['another document', '<Delete></Delete>'],
  ['a document that ends early', `<CompleteMultipartUpload>${part(1, 'a')}`],
  ['an invalid part number', `<CompleteMultipartUpload>${part('-1', 'a')}</CompleteMultipartUpload>`],
  ['JSON', '{"parts":[]}'],
  [
    'entities of its own',
    '<!DOCTYPE a [<!ENTITY b "c">]><CompleteMultipartUpload>&b;</CompleteMultipartUpload>',
  ],
])('%s is rejected as a completion', async (_what, text) => {
  expect(await parseCompletion(text)).toBeUndefined();
});

test('any written text is parsed to the same text', () => {
  const document = xmlDocument('Error', [['Message', '<&>"\u0000\u001b']], { namespace: false });
  expect(document).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Message>&lt;&amp;&gt;&quot;</Message></Error>',
  );
});
