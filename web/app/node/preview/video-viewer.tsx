import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Captions, Maximize, Minimize, PictureInPicture2, Play, Settings } from 'lucide-react';
import type { File } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSection, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { contentUrl } from '../file-facts.ts';
import { PlayButton, ResumedNote, SeekBar, TimeText, Volume } from './media-parts.tsx';
import { Unavailable } from './unavailable.tsx';
import { mediaKey, SPEEDS, togglePlay, useMedia } from './use-media.ts';
import { useResume } from './use-resume.ts';
import { useSubtitles } from './use-subtitles.ts';
import type { ViewerProps } from './viewer-props.ts';
import './dark-stage.css';
import { shownName } from '../name/shown-name.ts';

const HIDES_AFTER_MS = 2600;

interface Quality {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

function qualitiesOf(file: File, original: string): readonly Quality[] {
  const found = file.medias.flatMap((media) =>
    media.is_visible && media.link?.url
      ? [{ id: media.media_id, name: media.resolution_name, url: media.link.url }]
      : [],
  );
  const unique = found.filter(({ url }, at) => found.findIndex((other) => other.url === url) === at);
  return unique.length > 0 ? unique : [{ id: '', name: original, url: contentUrl(file) ?? '' }];
}

export default function VideoViewer(props: ViewerProps) {
  const { file, isStill = false } = props;
  const t = useT();
  const format = useFormat();
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const state = useMedia(video);
  const qualities = qualitiesOf(file, t('node.media.original'));
  const [chosen, choose] = useState<string>();
  const quality =
    qualities.find(({ id }) => id === chosen) ??
    qualities.find(({ id }) => isDefault(file, id)) ??
    qualities[0]!;
  const { resumedAt, resume, restart } = useResume(file.id, video);
  const isFull = useFullscreen();
  const controls = useAutoHide(state.isPaused);
  const subtitles = useSubtitles(props, video);

  const wasAt = useRef<number>(undefined);
  const onLoaded = () => {
    if (!video) return;
    if (wasAt.current === undefined) void resume();
    else video.currentTime = wasAt.current;
  };

  if (state.hasFailed || quality.url === '')
    return <Unavailable file={file} text={t('node.media.unplayable')} />;

  const toggleFull = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else if (frame.current?.requestFullscreen) void frame.current.requestFullscreen();
    // iPhones support fullscreen only for videos.
    else (video as { webkitEnterFullscreen?: () => void } | null)?.webkitEnterFullscreen?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!video || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest('button, input') && event.key === ' ') return;
    if (event.key === 'f') toggleFull();
    else if (!mediaKey(video, event.key)) return;
    controls.show();
    event.preventDefault();
  };

  return (
    // Keys and the pointer work on the whole picture; every action has a button below it as well.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={frame}
      data-viewer-focus
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onPointerMove={controls.show}
      className={cx(
        'dark-stage relative grid size-full place-items-center overflow-hidden bg-black outline-none',
        !controls.isShown && 'cursor-none',
      )}
    >
      {/* Subtitles are added as tracks if there are any. */}
      {/* eslint-disable-next-line jsx-a11y/media-has-caption */}
      <video
        ref={setVideo}
        src={quality.url}
        poster={file.thumbnail_link === '' ? undefined : file.thumbnail_link}
        autoPlay={!isStill}
        playsInline
        preload="metadata"
        onLoadedMetadata={onLoaded}
        onClick={() =>
          matchMedia('(pointer: coarse)').matches ? controls.show() : video && togglePlay(video)
        }
        onDoubleClick={toggleFull}
        className="absolute inset-0 size-full object-contain"
      />
      {video && state.isPaused && state.time === 0 && (
        <button
          type="button"
          aria-label={t('node.media.play')}
          onClick={() => togglePlay(video)}
          className="absolute grid size-18 place-items-center rounded-full bg-blue text-on-blue"
        >
          <Play aria-hidden="true" className="ms-1 size-8 fill-current" />
        </button>
      )}
      {resumedAt !== undefined && (
        <ResumedNote at={resumedAt} onRestart={restart} className="absolute start-4 bottom-24" />
      )}
      {video && (
        <div
          className={cx(
            'absolute inset-x-0 bottom-0 bg-linear-to-t from-black/85 to-transparent px-4 pt-10 pb-3 transition-opacity max-md:px-2',
            controls.isShown ? 'opacity-100' : 'opacity-0 focus-within:opacity-100',
          )}
        >
          <SeekBar media={video} state={state} className="w-full" />
          <div className="flex items-center gap-1">
            <PlayButton media={video} state={state} />
            <Volume media={video} state={state} />
            <TimeText state={state} />
            <span className="flex-1" />
            {subtitles.found.length > 0 && (
              <MenuTrigger>
                <IconButton
                  label={t('node.media.subtitles')}
                  icon={<Captions />}
                  isPressed={subtitles.shown !== undefined}
                />
                <Menu>
                  <MenuItem
                    isSelected={subtitles.shown === undefined}
                    onAction={() => subtitles.show(undefined)}
                  >
                    {t('node.media.subtitles.off')}
                  </MenuItem>
                  {subtitles.found.map((one) => (
                    <MenuItem
                      key={one.file.id}
                      isSelected={subtitles.shown === one.file.id}
                      onAction={() => subtitles.show(one.file.id)}
                    >
                      {one.label}
                    </MenuItem>
                  ))}
                </Menu>
              </MenuTrigger>
            )}
            <MenuTrigger>
              <IconButton label={t('node.media.settings')} icon={<Settings />} />
              <Menu>
                {qualities.length > 1 && (
                  <MenuSection title={t('node.media.quality')}>
                    {qualities.map((one) => (
                      <MenuItem
                        key={one.id}
                        isSelected={one === quality}
                        onAction={() => {
                          wasAt.current = video.currentTime;
                          choose(one.id);
                        }}
                      >
                        {shownName(one.name)}
                      </MenuItem>
                    ))}
                  </MenuSection>
                )}
                <MenuSection title={t('node.media.speed')}>
                  {SPEEDS.map((speed) => (
                    <MenuItem
                      key={speed}
                      isSelected={state.rate === speed}
                      onAction={() => {
                        video.playbackRate = speed;
                      }}
                    >
                      {`${format.number(speed)}×`}
                    </MenuItem>
                  ))}
                </MenuSection>
              </Menu>
            </MenuTrigger>
            {document.pictureInPictureEnabled && (
              <IconButton
                label={t('node.media.pip')}
                icon={<PictureInPicture2 />}
                onClick={() =>
                  void (
                    document.pictureInPictureElement
                      ? document.exitPictureInPicture()
                      : video.requestPictureInPicture()
                  ).catch(() => undefined)
                }
              />
            )}
            <IconButton
              label={isFull ? t('node.media.fullscreen.leave') : t('node.media.fullscreen')}
              shortcut="F"
              icon={isFull ? <Minimize /> : <Maximize />}
              onClick={toggleFull}
            />
          </div>
        </div>
      )}
    </div>
  );
}

const isDefault = (file: File, id: string): boolean =>
  file.medias.some((media) => media.media_id === id && media.is_default);

function useFullscreen(): boolean {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const update = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', update);
    return () => document.removeEventListener('fullscreenchange', update);
  }, []);
  return isFull;
}

/** Hides the controls while a video plays and the pointer doesn't move. */
function useAutoHide(isPaused: boolean) {
  const [isMoving, setMoving] = useState(true);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = () => {
    clearTimeout(timer.current);
    setMoving(true);
    timer.current = setTimeout(() => setMoving(false), HIDES_AFTER_MS);
  };
  useEffect(() => {
    timer.current = setTimeout(() => setMoving(false), HIDES_AFTER_MS);
    return () => clearTimeout(timer.current);
  }, []);
  return { isShown: isMoving || isPaused, show };
}
