import { useEffect, useSyncExternalStore } from 'react';
import { RESUME, type File } from '@bowerbird/contract';
import { contentUrl } from '../../file-facts.ts';
import type { ShownTags } from './read-song.ts';
import { nextRepeat, type Repeat, shuffled, stepped, unshuffled } from './play-order.ts';
import { playPositionElsewhere, reportPositions } from '../play-memory.tsx';

const RESUMED_FOR_MS = 8000;
/** Somebody who has moved further by themselves doesn't want to be moved. */
const UNTOUCHED_S = 3;

/** Playback state: a queue of songs, one of them current. It continues across pages. */
export interface AudioState {
  readonly queue: readonly File[];
  readonly at: number;
  readonly media: HTMLAudioElement | null;
  /** Second that a long recording was resumed at, for some seconds. */
  readonly resumedAt?: number | undefined;
  readonly isShuffled: boolean;
  readonly repeat: Repeat;
  /** Facts in the current song's file, once they are read. */
  readonly tags?: ShownTags | undefined;
}

type Load = (id: string) => Promise<File>;

const SILENCE: AudioState = { queue: [], at: 0, media: null, isShuffled: false, repeat: 'off' };

let state: AudioState = SILENCE;
let load: Load | undefined;
/** The queue in the order of its list. */
let listed: readonly File[] = [];
/** A link may have expired while a tab slept: it is requested again, once per song. */
let renewed = '';
/** Each time a recording is started it is resumed once. */
let resumed = '';
let docks = 0;
let viewers = 0;
const listeners = new Set<() => void>();
const turnListeners = new Set<(id: string) => void>();

function change(next: AudioState): void {
  state = next;
  for (const listener of listeners) listener();
}

function element(): HTMLAudioElement {
  if (state.media) return state.media;
  const media = new Audio();
  media.preload = 'metadata';
  media.addEventListener('ended', () => {
    if (state.repeat === 'one') media.play().catch(() => undefined);
    else skip(1);
  });
  media.addEventListener('loadedmetadata', () => void resume(media));
  reportPositions(media, () => currentSong(state)?.id);
  media.addEventListener('error', () => void renew(media, { from: media.currentTime, begins: true }));
  return media;
}

/** Songs begin at their start; long recordings continue where they were left, on this device or another. */
async function resume(media: HTMLAudioElement): Promise<void> {
  const file = currentSong(state);
  if (!file || !(media.duration >= RESUME.audioSeconds) || resumed === file.id) return;
  resumed = file.id;
  const at = await playPositionElsewhere(file.id);
  if (!at || currentSong(state)?.id !== file.id || media.currentTime > UNTOUCHED_S || at >= media.duration)
    return;
  media.currentTime = at;
  change({ ...state, resumedAt: at });
  setTimeout(() => state.resumedAt === at && change({ ...state, resumedAt: undefined }), RESUMED_FOR_MS);
}

/** Plays the current recording from its start, although it was resumed. */
export function restartAudio(): void {
  if (state.media) state.media.currentTime = 0;
  change({ ...state, resumedAt: undefined });
}

async function renew(
  media: HTMLAudioElement,
  { from, begins }: { from: number; begins: boolean },
): Promise<void> {
  const file = currentSong(state);
  if (!file || !load || renewed === file.id) return;
  renewed = file.id;
  try {
    const url = contentUrl(await load(file.id));
    if (url === undefined || currentSong(state)?.id !== file.id) return;
    media.src = url;
    media.currentTime = from;
    if (begins) await media.play();
  } catch {
    // The player shows that this song can't be played.
  }
}

export function currentSong({ queue, at }: AudioState): File | undefined {
  return queue[at];
}

/** Plays a song, then the ones beside it; if the song is already playing, it continues. */
export function playAudio(file: File, beside: readonly File[], loadAnew: Load, begins = true): void {
  load = loadAnew;
  const isSame = currentSong(state)?.id === file.id;
  // A song of the same list keeps the order in which the list is being played.
  const isQueued = state.isShuffled && sameSongs(listed, beside);
  const queue = isQueued ? state.queue : beside.some(({ id }) => id === file.id) ? beside : [file];
  if (!isQueued) listed = queue;
  const media = element();
  const order = { queue, at: queue.findIndex(({ id }) => id === file.id) };
  change({ ...state, ...(state.isShuffled && !isQueued ? shuffled(order) : order), media });
  if (!isSame) start(media, file, begins);
}

const sameSongs = (one: readonly File[], other: readonly File[]): boolean =>
  one.length === other.length && one.every(({ id }, at) => id === other[at]!.id);

function start(media: HTMLAudioElement, file: File, begins: boolean): void {
  renewed = '';
  resumed = '';
  // A new source would reset it.
  media.defaultPlaybackRate = media.playbackRate;
  setTags(undefined);
  nameSong(file);
  void readTags(file);
  const url = contentUrl(file);
  if (url === undefined) {
    // A listing may have no links: they are requested as if they had expired.
    media.pause();
    void renew(media, { from: 0, begins });
    return;
  }
  media.src = url;
  // A browser that requires a click first shows the play button.
  if (begins) media.play().catch(() => undefined);
}

/** Metadata and actions for the system's own player and for media keys of keyboards and headphones. */
function nameSong(file: File, tags: ShownTags = {}): void {
  if (!('mediaSession' in navigator)) return;
  const picture = tags.cover ?? file.thumbnail_link;
  navigator.mediaSession.metadata = new MediaMetadata({
    title: tags.title ?? file.name,
    artist: tags.artist ?? '',
    album: tags.album ?? '',
    artwork: picture === '' ? [] : [{ src: picture }],
  });
  navigator.mediaSession.setActionHandler('previoustrack', () => skip(-1));
  navigator.mediaSession.setActionHandler('nexttrack', () => skip(1));
}

/** Shows other tags; the cover of the ones before is released. */
function setTags(tags: ShownTags | undefined): void {
  if (state.tags?.cover !== undefined) URL.revokeObjectURL(state.tags.cover);
  change({ ...state, tags });
}

async function readTags(file: File): Promise<void> {
  try {
    const { readSong } = await import('./read-song.ts');
    const source = contentUrl(file) ?? contentUrl(await load!(file.id));
    const tags = source === undefined ? {} : await readSong(source);
    if (currentSong(state)?.id !== file.id) {
      if (tags.cover !== undefined) URL.revokeObjectURL(tags.cover);
      return;
    }
    setTags(tags);
    nameSong(file, tags);
  } catch {
    // The file's name is shown instead.
  }
}

/** Plays in random order from the current song on, or in the order of the list again. */
export function toggleShuffle(): void {
  const order = state.isShuffled ? unshuffled(state, listed) : shuffled(state);
  change({ ...state, ...order, isShuffled: !state.isShuffled });
}

/** Repeats nothing, the queue, or the song, one after the other. */
export function toggleRepeat(): void {
  change({ ...state, repeat: nextRepeat(state.repeat) });
}

/** True if there is a song after (1) or before (−1) the current one. */
export const maySkip = (audio: AudioState, step: 1 | -1): boolean =>
  stepped(audio, step, audio.repeat) !== undefined;

/** Plays the next or the previous song; playback ends after the last. */
export function skip(step: 1 | -1): void {
  const at = stepped(state, step, state.repeat);
  const file = at === undefined ? undefined : state.queue[at];
  if (at === undefined || !file || !state.media) return;
  change({ ...state, at });
  start(state.media, file, true);
  for (const listener of turnListeners) listener(file.id);
}

/** Called when the player has moved on to another song. Returns a function that removes the listener. */
export function onSongTurned(listener: (id: string) => void): () => void {
  turnListeners.add(listener);
  return () => turnListeners.delete(listener);
}

export function stopAudio(): void {
  state.media?.pause();
  state.media?.removeAttribute('src');
  setTags(undefined);
  listed = [];
  change({ ...SILENCE, isShuffled: state.isShuffled, repeat: state.repeat });
}

/**
 * Registers a large player; returns a function to call when it is removed. Without another player nobody could
 * stop the song any more.
 */
export function enterAudio(): () => void {
  viewers += 1;
  return () => {
    viewers -= 1;
    // The next song's player is mounted in the same tick.
    setTimeout(() => {
      if (viewers === 0 && (docks === 0 || state.media?.paused !== false)) stopAudio();
    });
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useAudio(): AudioState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => SILENCE,
  );
}

export function useAudioDock(): AudioState {
  useEffect(() => {
    docks += 1;
    return () => {
      docks -= 1;
    };
  }, []);
  return useAudio();
}
