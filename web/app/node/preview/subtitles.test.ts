import type { File } from '@bowerbird/contract';
import { expect, it } from 'vitest';
import { asWebVtt, subtitlesOf } from './subtitles.ts';

const named = (name: string): File => ({ name }) as Partial<File> as File;

it('finds subtitles with the name of the video', () => {
  const beside = ['Film.srt', 'Film.pt-BR.vtt', 'Film 2.srt', 'Film.txt', 'Filmed.ass'].map(named);
  expect(subtitlesOf(named('Film.mkv'), beside).map(({ label }) => label)).toEqual(['SRT', 'pt-BR']);
});

it('reads SubRip', () => {
  const text =
    '\ufeff1\r\n0:00:01,5 --> 00:00:02,250 X1:10\r\n<font color="red">Hello</font>\r\n<i>there</i>\r\n';
  expect(asWebVtt(text, 'a.srt')).toBe('WEBVTT\n\n1\n00:00:01.500 --> 00:00:02.250\nHello\n<i>there</i>\n');
});

it('reads Advanced SubStation, sorted by time', () => {
  const text = [
    '[Events]',
    'Dialogue: 0,0:00:05.00,0:00:06.50,Default,,0,0,0,,Second, with a comma',
    'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\an8}First\\Nline',
  ].join('\n');
  expect(asWebVtt(text, 'a.ass')).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nFirst\nline\n\n00:00:05.000 --> 00:00:06.500\nSecond, with a comma\n',
  );
});

it('leaves WebVTT unchanged', () => {
  expect(asWebVtt('WEBVTT\n\n00:01.000 --> 00:02.000\nHi', 'a.vtt')).toBe(
    'WEBVTT\n\n00:01.000 --> 00:02.000\nHi',
  );
});
