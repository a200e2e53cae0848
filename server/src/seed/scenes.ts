import type { Colour, Picture } from './png.ts';

// Landscape drawn by arithmetic: a sky, a sun or moon, ridges one before the other, and optional water.

interface Scene {
  readonly zenith: Colour;
  readonly horizon: Colour;
  /** Color of near ridges; far ones take the color of the air. */
  readonly ground: Colour;
  readonly light: {
    readonly x: number;
    readonly y: number;
    readonly radius: number;
    readonly colour: Colour;
  };
  readonly ridges: number;
  /** Height of the water's edge, 1 for none. */
  readonly shore: number;
  readonly seed: number;
}

const WIDTH = 1200;
const HEIGHT = 800;

const mix = (a: Colour, b: Colour, share: number): Colour => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];
const ease = (from: number, to: number, value: number): number => {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
};

/** Height of a ridge at a position: a sum of waves of decreasing length. */
function ridgeAt(x: number, seed: number): number {
  let height = 0;
  for (let octave = 0; octave < 6; octave++) {
    const frequency = 1.7 * 2 ** octave;
    height += Math.sin(x * frequency * 3.1 + seed * (octave + 1) * 12.9898) * 0.5 ** octave;
  }
  return height / 2;
}

function landscape(scene: Scene): Picture {
  const { zenith, horizon, ground, light, ridges, shore, seed } = scene;
  const aspect = WIDTH / HEIGHT;

  const sky = (x: number, y: number): Colour => {
    const base = mix(zenith, horizon, ease(0, 0.75, y));
    const distance = Math.hypot((x - light.x) * aspect, y - light.y);
    const glow = Math.exp(-distance * 4.2) * 0.75;
    const disc = 1 - ease(light.radius, light.radius * 1.06, distance);
    return mix(mix(base, light.colour, glow), light.colour, disc);
  };

  /** Start of the ridges in a column; each column is needed once a row. */
  const columns = new Map<number, number[]>();
  const topsAt = (x: number): number[] => {
    const known = columns.get(x);
    if (known) return known;
    const tops = Array.from({ length: ridges }, (_, ridge) => {
      const nearness = (ridge + 1) / ridges;
      return 0.42 + 0.4 * nearness + ridgeAt(x, seed + ridge * 7.3) * (0.05 + 0.06 * nearness);
    });
    columns.set(x, tops);
    return tops;
  };

  const above = (x: number, y: number): Colour => {
    let colour = sky(x, y);
    for (const [ridge, top] of topsAt(x).entries()) {
      const nearness = (ridge + 1) / ridges;
      const cover = ease(top - 0.0012, top + 0.0012, y);
      if (cover === 0) continue;
      const air = mix(mix(horizon, zenith, 0.35), ground, nearness ** 1.3);
      colour = mix(colour, mix(air, horizon, 0.22 * (1 - ease(top, top + 0.2, y))), cover);
    }
    return colour;
  };

  const at = (x: number, y: number): Colour => {
    if (y < shore) return above(x, y);
    const depth = (y - shore) / (1 - shore);
    const ripple = Math.sin(depth ** 0.55 * 260 + Math.sin(x * 21 + seed) * 2.2) * 0.006 * (0.3 + depth);
    const mirrored = above(x + ripple, Math.max(0, shore - (y - shore) * 0.92 + ripple));
    return mix(mirrored, zenith, 0.22 + 0.3 * depth);
  };
  return { width: WIDTH, height: HEIGHT, at };
}

/** Barbs of a feather, from its quill outwards. */
function feather(): Picture {
  const at = (x: number, y: number): Colour => {
    const spine = 0.5 + 0.1 * Math.sin(y * 3);
    const side = (x - spine) * 1.4;
    const width = 0.34 * Math.sin(Math.PI * ease(0.02, 1.05, y)) ** 0.7;
    const paper: Colour = [0.965, 0.96, 0.945];
    const within = 1 - ease(width * 0.96, width, Math.abs(side));
    const barbs = 0.5 + 0.5 * Math.sin((y * 1.9 - Math.abs(side) * 1.6) * 190);
    const eye = Math.hypot(side * 1.2, y - 0.3);
    const blue = mix([0.12, 0.24, 0.62], [0.2, 0.62, 0.78], ease(0.02, 0.3, eye));
    const vane = mix(
      blue,
      [0.93, 0.78, 0.35],
      ease(0.055, 0.05, eye) * 0.9 + ease(0.12, 0.11, eye) * ease(0.09, 0.1, eye),
    );
    const quill = 1 - ease(0.003, 0.006, Math.abs(side));
    return mix(mix(paper, mix(vane, [0.05, 0.1, 0.28], barbs * 0.28), within), [0.88, 0.86, 0.8], quill);
  };
  return { width: 1000, height: 1400, at };
}

/** Rows of objects that a bowerbird collects. */
function collection(): Picture {
  const at = (x: number, y: number): Colour => {
    const columns = 8;
    const rows = 6;
    const column = Math.floor(x * columns);
    const row = Math.floor(y * rows);
    const turn = Math.sin((column * 12.9898 + row * 78.233) * 43.7);
    const [u, v] = [x * columns - column - 0.5, y * rows - row - 0.5];
    const distance = Math.hypot(u, v) / (0.3 + 0.1 * turn);
    const blue = mix([0.1, 0.22, 0.6], [0.35, 0.66, 0.93], 0.5 + 0.5 * turn);
    const shine = Math.exp(-((u + 0.1) ** 2 + (v + 0.12) ** 2) * 60) * 0.7;
    const shadow = ease(1.35, 0.95, Math.hypot(u - 0.04, v - 0.06) / (0.3 + 0.1 * turn)) * 0.16;
    const ground = mix([0.93, 0.9, 0.83], [0.2, 0.16, 0.1], shadow);
    return mix(ground, mix(blue, [1, 1, 1], shine), 1 - ease(0.96, 1, distance));
  };
  return { width: 1200, height: 900, at };
}

const scenes: Readonly<Record<string, Scene>> = {
  'Blue morning.png': {
    zenith: [0.22, 0.42, 0.75],
    horizon: [0.93, 0.86, 0.8],
    ground: [0.08, 0.16, 0.27],
    light: { x: 0.68, y: 0.47, radius: 0.045, colour: [1, 0.97, 0.88] },
    ridges: 5,
    shore: 1,
    seed: 2,
  },
  'Ridge at dusk.png': {
    zenith: [0.16, 0.13, 0.36],
    horizon: [0.97, 0.55, 0.38],
    ground: [0.09, 0.06, 0.15],
    light: { x: 0.3, y: 0.52, radius: 0.07, colour: [1, 0.78, 0.45] },
    ridges: 6,
    shore: 1,
    seed: 11,
  },
  'Lake in the fog.png': {
    zenith: [0.6, 0.69, 0.75],
    horizon: [0.9, 0.92, 0.91],
    ground: [0.22, 0.31, 0.36],
    light: { x: 0.45, y: 0.3, radius: 0.05, colour: [0.99, 0.99, 0.96] },
    ridges: 4,
    shore: 0.66,
    seed: 23,
  },
  'Night over the bower.png': {
    zenith: [0.02, 0.03, 0.1],
    horizon: [0.16, 0.24, 0.45],
    ground: [0.01, 0.02, 0.05],
    light: { x: 0.74, y: 0.2, radius: 0.05, colour: [0.93, 0.94, 0.9] },
    ridges: 5,
    shore: 0.78,
    seed: 31,
  },
  'Red plain.png': {
    zenith: [0.28, 0.55, 0.82],
    horizon: [0.97, 0.9, 0.75],
    ground: [0.55, 0.2, 0.1],
    light: { x: 0.5, y: 0.15, radius: 0.04, colour: [1, 1, 0.95] },
    ridges: 4,
    shore: 1,
    seed: 47,
  },
};

/** Pictures by name, each drawn on demand. */
export const pictures: Readonly<Record<string, () => Picture>> = {
  ...Object.fromEntries(Object.entries(scenes).map(([name, scene]) => [name, () => landscape(scene)])),
  'Feather, found in May.png': feather,
  'The collection.png': collection,
};
