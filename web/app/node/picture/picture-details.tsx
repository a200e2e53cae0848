import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { type File, PICTURE_HEAD_BYTES, pictureFacts, type PictureFacts } from '@bowerbird/contract';
import { type Format, useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { contentUrl } from '../file-facts.ts';
import { readBeginning } from '../preview/text-file.ts';
import { exposureTime, mapAddress } from './picture-texts.ts';

/** Facts that a camera has written into a picture, as rows of the details; read from its first bytes. */
export default function PictureDetails({ file }: { file: File }) {
  const t = useT();
  const format = useFormat();
  const url = contentUrl(file);
  const { data: facts } = useQuery({
    queryKey: ['picture-facts', file.id, file.hash, file.size],
    queryFn: async ({ signal }) =>
      pictureFacts((await readBeginning(url!, signal, PICTURE_HEAD_BYTES)).bytes),
    enabled: url !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!facts) return null;
  const { width, height, taken, camera, lens } = facts;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t('node.details.dimensions'), width === undefined ? undefined : `${width} × ${height}`],
    [t('node.photo.taken'), taken === undefined ? undefined : <Taken at={taken} format={format} />],
    [t('node.photo.camera'), camera],
    [t('node.photo.lens'), lens],
    [t('node.photo.exposure'), exposureOf(facts, t, format)],
    [t('node.photo.place'), <Place key="place" facts={facts} />],
  ];
  return rows.map(
    ([label, value]) =>
      value !== undefined &&
      (label !== t('node.photo.place') || facts.latitude !== undefined) && (
        <div key={label} className="contents">
          <dt className="text-ink-3">{label}</dt>
          <dd className="text-end [overflow-wrap:anywhere] tabular-nums">{value}</dd>
        </div>
      ),
  );
}

/** Time on the clocks of the place, whatever the reader's time zone is. */
function Taken({ at, format }: { at: string; format: Format }) {
  const local = at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  return (
    <time dateTime={at} className="grid">
      <span aria-hidden="true">{format.dateTime(local)}</span>
      <span className="text-12 text-ink-3">{format.fullDate(local)}</span>
    </time>
  );
}

function exposureOf(
  { exposureSeconds, aperture, iso, focalLength }: PictureFacts,
  t: ReturnType<typeof useT>,
  format: Format,
): string | undefined {
  const parts = [
    exposureSeconds !== undefined &&
      t('node.photo.seconds', { time: exposureTime(exposureSeconds, format.number) }),
    aperture !== undefined && `ƒ/${format.number(Number(aperture.toFixed(1)))}`,
    iso !== undefined && `ISO ${iso}`,
    focalLength !== undefined &&
      t('node.photo.millimeters', { length: format.number(Number(focalLength.toFixed(1))) }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(' · ');
}

/** Coordinates; a map is only requested if somebody follows the link. */
function Place({ facts }: { facts: PictureFacts }) {
  const t = useT();
  const { latitude, longitude } = facts;
  if (latitude === undefined || longitude === undefined) return null;
  return (
    <a
      href={mapAddress(latitude, longitude)}
      target="_blank"
      rel="noopener noreferrer"
      data-tip={t('node.photo.map')}
      className="inline-flex items-center gap-1.5 text-blue-strong underline-offset-2 hover:underline"
    >
      {latitude.toFixed(5)}, {longitude.toFixed(5)}
      <span className="sr-only"> – {t('node.photo.map')}</span>
      <ExternalLink aria-hidden="true" className="size-3.5" />
    </a>
  );
}
