import { describe, expect, test } from 'vitest';
import { childElements, MOST_XML_BYTES, parseXml, readText, serialize } from './dav-xml.ts';

const first = async (xml: string) => serialize(childElements((await parseXml(xml))!)[0]!);

describe('client documents', () => {
  test('keep the meaning of a property that is extracted and parsed again', async () => {
    for (const xml of [
      '<r xmlns="DAV:"><p xmlns="urn:x">text &amp; &lt;more&gt;</p></r>',
      '<r xmlns="DAV:" xmlns:q="urn:q"><q:p a="1" q:b="&quot;2&quot;"><q:c/>tail</q:p></r>',
      '<r xmlns="DAV:"><p xmlns=""><q xmlns="urn:q"><z xmlns=""/></q></p></r>',
      '<r xmlns="DAV:" xml:lang="de"><p xmlns="urn:x">Wort</p></r>',
      '<r><p xmlns:x="urn:x" x:a="b"><![CDATA[<raw>]]></p></r>',
    ]) {
      const once = await first(xml);
      expect(await first(`<r>${once}</r>`), xml).toBe(once);
    }
    expect(await first('<r xmlns:q="urn:q" xml:lang="de"><q:p>Wort</q:p></r>')).toBe(
      '<q:p xmlns:q="urn:q" xml:lang="de">Wort</q:p>',
    );
  });

  test('declare no entities, and are limited in depth and size', async () => {
    for (const xml of [
      '<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>',
      '<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>',
      '<r>&undefined;</r>',
      '<r',
      '<r></s>',
      '<q:r/>',
      '<r xmlns:q=""><q:p/></r>',
      'text',
      `${'<a>'.repeat(70)}${'</a>'.repeat(70)}`,
      `<r>${'<a/>'.repeat(10_001)}</r>`,
    ])
      await expect(parseXml(xml), xml.slice(0, 40)).rejects.toMatchObject({ status: 400 });
    expect(await parseXml('  ')).toBeUndefined();
    await expect(
      readText(
        (async function* () {
          for (let sent = 0; sent <= MOST_XML_BYTES; sent += 65_536) yield Buffer.alloc(65_536, ' ');
        })(),
      ),
    ).rejects.toMatchObject({ status: 413 });
  });
});
