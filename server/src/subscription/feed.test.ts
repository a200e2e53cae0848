import { beforeAll, describe, expect, test } from 'vitest';
import { feedNamedBy } from './feed-discovery.ts';
import type { FoundItem } from './feed-item.ts';
import { parseFeed, type Feed } from './feed.ts';

const ADDRESS = 'https://feeds.example.org/blue/feed.xml';

const rss = (items: string, head = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:torrent="http://xmlns.ezrss.it/0.1/"
  xmlns:nyaa="https://nyaa.si/xmlns/nyaa" xmlns:torznab="http://torznab.com/schemas/2015/feed">
<channel><title>Blue things</title><link>https://example.org/</link>${head}${items}</channel></rss>`;

async function itemsOf(text: string, address = ADDRESS): Promise<readonly FoundItem[]> {
  const feed = await parseFeed(text, address);
  if (!feed) throw new Error('The text is not a feed');
  return feed.items;
}

const itemOf = async (inner: string): Promise<FoundItem> => (await itemsOf(rss(`<item>${inner}</item>`)))[0]!;

const HASH = '0123456789abcdef0123456789abcdef01234567';

describe('feeds of every format', () => {
  test('podcasts in RSS 2.0 are parsed', async () => {
    const feed = await parseFeed(
      rss(`<image><title>The picture</title></image>
        <item><title><![CDATA[Feathers & bowers: part 2]]></title><link>https://example.org/2</link>
          <description><![CDATA[<p>All of <b>it</b></p>]]></description>
          <enclosure url="https://cdn.example.org/2.mp3?a=1&amp;b=2" length="48123456" type="audio/mpeg"/>
          <guid isPermaLink="false">tag:example.org,2026:2</guid>
          <pubDate>Fri, 27 Nov 2026 10:00:00 +0100</pubDate></item>
        <item><title>Part 1</title><enclosure url="1.mp3" length="0" type="audio/mpeg"/></item>`),
      ADDRESS,
    );
    expect(feed).toEqual({
      title: 'Blue things',
      items: [
        {
          guid: 'tag:example.org,2026:2',
          title: 'Feathers & bowers: part 2',
          url: 'https://cdn.example.org/2.mp3?a=1&b=2',
          size: 48_123_456,
          publishedAt: Date.UTC(2026, 10, 27, 9),
        },
        {
          guid: 'https://feeds.example.org/blue/1.mp3',
          title: 'Part 1',
          url: 'https://feeds.example.org/blue/1.mp3',
          size: undefined,
          publishedAt: undefined,
        },
      ],
    });
  });

  test('releases in Atom are parsed, with relative links and markup in titles', async () => {
    const feed = await parseFeed(
      `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/releases/">
        <title type="html">Notes of &lt;b&gt;bower&lt;/b&gt;</title>
        <link rel="self" href="https://example.org/releases.atom"/>
        <entry><id>tag:example.org,2026:v2</id>
          <title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Version <em>2</em></div></title>
          <link rel="alternate" type="text/html" href="v2"/>
          <link rel="enclosure" type="application/gzip" length="1024" href="v2/bower.tar.gz"/>
          <updated>2026-11-27T10:00:00Z</updated><published>2026-11-26T10:00:00Z</published>
          <source><title>Another</title><id>other</id></source></entry>
        <entry><id>tag:example.org,2026:v1</id><title>Version 1</title><link href="v1"/>
          <updated>2026-10-01T00:00:00Z</updated></entry>
      </feed>`,
      ADDRESS,
    );
    expect(feed).toMatchObject({
      title: 'Notes of bower',
      items: [
        {
          guid: 'tag:example.org,2026:v2',
          title: 'Version 2',
          url: 'https://example.org/releases/v2/bower.tar.gz',
          size: 1024,
          publishedAt: Date.UTC(2026, 10, 26, 10),
        },
        { guid: 'tag:example.org,2026:v1', url: 'https://example.org/releases/v1' },
      ],
    });
  });

  test('RSS 1.0, whose items are outside the channel, is parsed', async () => {
    const items = await itemsOf(`<?xml version="1.0"?>
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="https://example.org/"><title>Old news</title></channel>
      <item rdf:about="https://example.org/a"><title>A</title><link>https://example.org/a.zip</link>
        <dc:date>2026-11-27T00:00:00Z</dc:date></item></rdf:RDF>`);
    expect(items).toMatchObject([
      {
        guid: 'https://example.org/a',
        url: 'https://example.org/a.zip',
        publishedAt: Date.UTC(2026, 10, 27),
      },
    ]);
  });

  test('RSS 0.91 is parsed, with its document type', async () => {
    const items = await itemsOf(`<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN"
      "http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel>
      <item><title>A</title><link>http://example.org/a</link></item></channel></rss>`);
    expect(items).toMatchObject([{ url: 'http://example.org/a' }]);
  });
});

describe('the link of an item', () => {
  test('is the magnet link of trackers, with the size of the content', async () => {
    const item =
      await itemOf(`<title>Bower.S01E02.1080p</title><link>https://tracker.example.org/view/2</link>
      <guid isPermaLink="true">https://tracker.example.org/view/2</guid>
      <torrent:contentLength>1500000000</torrent:contentLength>
      <torrent:magnetURI><![CDATA[magnet:?xt=urn:btih:${HASH}&dn=Bower&tr=udp://t.example.org:80]]></torrent:magnetURI>`);
    expect(item).toMatchObject({
      guid: 'https://tracker.example.org/view/2',
      url: `magnet:?xt=urn:btih:${HASH}&dn=Bower&tr=udp://t.example.org:80`,
      size: 1_500_000_000,
    });
  });

  test('is the nested magnet link of early torrent feeds', async () => {
    const { url, size } = await itemOf(`<title>A</title><link>https://example.org/a</link>
      <torrent xmlns="http://xmlns.ezrss.it/0.1/"><fileName>a.torrent</fileName><contentLength>700</contentLength>
      <infoHash>${HASH}</infoHash><magnetURI>magnet:?xt=urn:btih:${HASH}</magnetURI></torrent>`);
    expect([url, size]).toEqual([`magnet:?xt=urn:btih:${HASH}`, 700]);
  });

  test('is the .torrent file, whose own length is not used as the size', async () => {
    const item = await itemOf(`<title>A</title><link>https://example.org/download/7.torrent</link>
      <nyaa:infoHash>${HASH}</nyaa:infoHash><nyaa:size>1.4 GiB</nyaa:size>`);
    expect(item.url).toBe('https://example.org/download/7.torrent');
    expect(item.size).toBe(Math.round(1.4 * 1024 ** 3));
    const { size } = await itemOf('<title>A</title><size>1,5 GB</size>');
    expect(size).toBe(1.5 * 1024 ** 3);
    const other = await itemOf(`<title>A</title>
      <enclosure url="https://example.org/get?id=7" type="application/x-bittorrent" length="23456"/>`);
    expect(other).toMatchObject({ url: 'https://example.org/get?id=7', size: undefined });
  });

  test('is the magnet link of an indexer', async () => {
    const item = await itemOf(`<title>A</title><guid>https://indexer.example.org/7</guid><size>2048</size>
      <link>https://indexer.example.org/7</link>
      <torznab:attr name="magneturl" value="magnet:?xt=urn:btih:${HASH}&amp;dn=A"/>`);
    expect(item).toMatchObject({ url: `magnet:?xt=urn:btih:${HASH}&dn=A`, size: 2048 });
  });

  test('is built from the info-hash if the item has only a page besides', async () => {
    const { url } = await itemOf(
      `<title>A b</title><link>https://example.org/7</link><torrent:infoHash>${HASH.toUpperCase()}</torrent:infoHash>`,
    );
    expect(url).toBe(`magnet:?xt=urn:btih:${HASH}&dn=A%20b`);
  });

  test('is the video rather than its picture, and either rather than the page about it', async () => {
    const film = await itemOf(`<title>A</title><link>https://example.org/page</link>
      <enclosure url="https://example.org/a.jpg" type="image/jpeg" length="5"/>
      <media:group><media:content url="https://example.org/a.mp4" type="video/mp4" fileSize="9000"/></media:group>`);
    expect(film).toMatchObject({ url: 'https://example.org/a.mp4', size: 9000 });
    const picture = await itemOf(`<title>A</title><link>https://example.org/page</link>
      <media:content url="//cdn.example.org/a.png" medium="image"/>`);
    expect(picture.url).toBe('https://cdn.example.org/a.png');
  });

  test('is the guid if that is an address and there is no other link', async () => {
    expect((await itemOf('<title>A</title><guid>https://example.org/a</guid>')).url).toBe(
      'https://example.org/a',
    );
    expect((await itemOf('<title>A</title><guid>abc-17</guid>')).url).toBeUndefined();
  });

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'ftp://example.org/a',
    'http://',
  ])('is never %s', async (link) => {
    const item = await itemOf(`<title>A</title><link>${link}</link><enclosure url="${link}"/>`);
    expect(item).toMatchObject({ title: 'A', url: undefined });
  });
});

describe('imperfect feeds', () => {
  test('undeclared entities, stray ampersands, unclosed elements and unknown prefixes are tolerated', async () => {
    const items = await itemsOf(`\n\n<?xml version="1.0"?><rss><channel><title>T</title>
      <item><title>Caf&eacute; & bar &#8211; R&amp;D&nbsp;!</title><link>http://example.org/?a=1&b=2</link>
      <description>one<br>two</description><wfw:comment>x</wfw:comment></item>
      <item><title>Second</title><link>http://example.org/2</link></item></channel>`);
    expect(items).toMatchObject([
      { title: 'Café & bar – R&D !', url: 'http://example.org/?a=1&b=2' },
      { title: 'Second' },
    ]);
  });

  test('markup, line breaks and deceptive characters are removed from titles', async () => {
    expect(
      (await itemOf('<title>&lt;b&gt;Bold&lt;/b&gt;\n  and &amp;lt;i&amp;gt;more&amp;lt;/i&amp;gt;</title>'))
        .title,
    ).toBe('Bold and more');
    expect((await itemOf('<title>a\u202egpj.exe &#x1F426; &#xD800;</title>')).title).toMatch(/^agpj\.exe 🐦/);
    expect((await itemOf('<link>http://example.org/blue%20bird.zip</link>')).title).toBe(
      'http://example.org/blue bird.zip',
    );
    expect((await itemOf('<title>Ours</title><media:title>Theirs</media:title>')).title).toBe('Ours');
  });

  test.each(['', 'yesterday', '0000-00-00', '99999999999999'])('the date “%s” is ignored', async (date) => {
    expect((await itemOf(`<title>A</title><pubDate>${date}</pubDate>`)).publishedAt).toBeUndefined();
  });

  test('a truncated feed yields its complete items', async () => {
    const items = await itemsOf(
      '<rss><channel><item><title>A</title></item><item><title>B</title><enclosure url="http://exa',
    );
    expect(items).toMatchObject([{ title: 'A' }]);
  });

  test('an empty feed is valid', async () => {
    expect(await parseFeed(rss(''), ADDRESS)).toEqual({ title: 'Blue things', items: [] });
  });
});

describe('a document that is not a feed', () => {
  test.each([
    '',
    'hello',
    '{"version":"https://jsonfeed.org/version/1"}',
    '<html><body>Hi</body></html>',
    '<a/>',
  ])('is rejected: %s', async (text) => {
    expect(await parseFeed(text, ADDRESS)).toBeUndefined();
  });

  test('reveals the address of the feed if it is a web page that links to one', () => {
    const page = `<!doctype html><html><head><link rel="stylesheet" href="a.css">
      <link rel='alternate' type='application/rss+xml' title="Feed" href='/feed?a=1&amp;b=2'></head></html>`;
    expect(feedNamedBy(page, 'https://example.org/blog/')).toBe('https://example.org/feed?a=1&b=2');
    expect(feedNamedBy('<link rel=alternate type=application/atom+xml href=a.xml>', ADDRESS)).toBe(
      'https://feeds.example.org/blue/a.xml',
    );
    expect(feedNamedBy('<link rel="alternate" hreflang="de" href="/de">', ADDRESS)).toBeUndefined();
    expect(
      feedNamedBy('<link rel="alternate" type="application/rss+xml" href="javascript:1">', ADDRESS),
    ).toBeUndefined();
  });
});

describe('hostile feeds are parsed quickly:', () => {
  const MIB = 1024 * 1024;
  const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n} "${`&a${n - 1};`.repeat(10)}">`).join('')}
    <!ENTITY x SYSTEM "file:///etc/passwd">]>`;
  /** CPU time in microseconds: of parsing, and the most between two turns of the event loop. */
  interface Watched {
    readonly feed: Feed | undefined;
    readonly cpu: number;
    readonly longest: number;
  }
  let ordinary: Watched;

  async function watched(text: string): Promise<Watched> {
    const cpuNow = (): number => {
      const { user, system } = process.threadCpuUsage();
      return user + system;
    };
    const before = cpuNow();
    let turned = before;
    let longest = 0;
    const turn = (): void => {
      const now = cpuNow();
      longest = Math.max(longest, now - turned);
      turned = now;
    };
    let isOver = false;
    const turning = (): void => {
      turn();
      if (!isOver) setImmediate(turning);
    };
    setImmediate(turning);
    const feed = await parseFeed(text, ADDRESS);
    isOver = true;
    turn();
    return { feed, cpu: turned - before, longest };
  }

  beforeAll(async () => {
    const item = `<item><title>One</title><description>${'word '.repeat(450)}</description></item>`;
    ordinary = await watched(rss(item.repeat(900)));
  });

  const many = Array.from({ length: 20_000 }, (_, n) => `<item><guid>${n}</guid></item>`).join('');

  test.each([
    ['entities that expand', bomb + rss('<item><title>&a8;&x;</title></item>')],
    ['elements without end tags', `<rss>${'<a>'.repeat(600_000)}`],
    ['end tags without start tags', `<rss>${'<a>'.repeat(190)}${'</b>'.repeat(400_000)}`],
    [
      'a hundred thousand attributes',
      `<rss><channel><item ${Array.from({ length: 100_000 }, (_, n) => `a${n}=""`).join(' ')}/>`,
    ],
    ['nothing but errors', `<rss>${'&'.repeat(2 * MIB)}`],
    ['brackets', '<rss>'.padEnd(2 * MIB, '<')],
    ['one long title', rss(`<item><title>${'<b'.repeat(MIB / 2)}</title></item>`)],
    ['one long title of markup', rss(`<item><title><![CDATA[${'<b '.repeat(MIB / 2)}]]></title></item>`)],
    ['twenty thousand items', rss(many)],
    ['a comment without an end', `<rss><!--${'-'.repeat(2 * MIB)}`],
  ])('%s', async (_, text) => {
    const { feed, cpu, longest } = await watched(text);
    expect(cpu / ordinary.cpu).toBeLessThan(20);
    expect(longest / ordinary.cpu).toBeLessThan(5);
    expect(feed?.items.length ?? 0).toBeLessThanOrEqual(1000);
    for (const { title, guid } of feed?.items ?? []) {
      expect(title.length).toBeLessThanOrEqual(500);
      expect(title).not.toMatch(/aaaaaaaaaa|root:/);
      expect(guid.length).toBeLessThanOrEqual(4096);
    }
  });
});
