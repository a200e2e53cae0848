import type { File } from '@bowerbird/contract';

const FORMATS = new Set(['srt', 'vtt', 'ass', 'ssa']);

export interface SubtitleFile {
  readonly file: File;
  /** Part of the name that the video's name lacks: a language, mostly. */
  readonly label: string;
}

const split = (name: string): [stem: string, extension: string] => {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1).toLowerCase()];
};

/** Finds subtitle files with the video's name: `Film.srt`, `Film.en.vtt`. */
export function subtitlesOf(video: File, beside: readonly File[]): SubtitleFile[] {
  const [stem] = split(video.name);
  return beside.flatMap((file) => {
    const [own, extension] = split(file.name);
    if (!FORMATS.has(extension) || !(own === stem || own.startsWith(`${stem}.`))) return [];
    return [{ file, label: own.slice(stem.length + 1) || extension.toUpperCase() }];
  });
}

/** Converts any of the three formats to WebVTT, text only: styles and positions of the others are dropped. */
export function asWebVtt(text: string, name: string): string {
  const [, extension] = split(name);
  const lines = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  if (extension === 'vtt') return lines;
  return extension === 'srt' ? fromSrt(lines) : fromAss(lines);
}

function fromSrt(text: string): string {
  const timed = text.replace(
    /^(\d{1,2}:\d{2}:\d{2}),(\d{1,3})[ \t]*-->[ \t]*(\d{1,2}:\d{2}:\d{2}),(\d{1,3}).*$/gm,
    (_, start: string, startMs: string, end: string, endMs: string) =>
      `${two(start)}.${startMs.padEnd(3, '0')} --> ${two(end)}.${endMs.padEnd(3, '0')}`,
  );
  return `WEBVTT\n\n${timed.replace(/<\/?font[^>]*>|\{\\[^}]*\}/gi, '').trim()}\n`;
}

const two = (time: string): string => (time.indexOf(':') === 1 ? `0${time}` : time);

function fromAss(text: string): string {
  const cues = text
    .split('\n')
    .filter((line) => line.startsWith('Dialogue:'))
    .flatMap((line) => {
      // The tenth field is the text and may contain commas.
      const fields = line.slice('Dialogue:'.length).split(',');
      const [start, end] = [fields[1]?.trim(), fields[2]?.trim()];
      const words = fields
        .slice(9)
        .join(',')
        .replace(/\{[^}]*\}/g, '')
        .replace(/\\[Nn]/g, '\n')
        .replace(/\\h/g, ' ');
      return start && end && words.trim() !== ''
        ? [{ start: two(start), end: two(end), words: words.trim() }]
        : [];
    })
    .toSorted((a, b) => (a.start < b.start ? -1 : 1));
  return `WEBVTT\n\n${cues.map(({ start, end, words }) => `${start}0 --> ${end}0\n${words}`).join('\n\n')}\n`;
}
