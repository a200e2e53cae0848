const RATE = 22_050;

/** Sound as a WAV file: sixteen bits, one channel; `at` returns the amplitude, −1 to 1, at a second. */
export function wav(seconds: number, at: (second: number) => number): Buffer {
  const samples = Math.round(seconds * RATE);
  const file = Buffer.alloc(44 + samples * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + samples * 2, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples * 2, 40);
  for (let sample = 0; sample < samples; sample++) {
    const amplitude = Math.min(1, Math.max(-1, at(sample / RATE)));
    file.writeInt16LE(Math.round(amplitude * 32_000), 44 + sample * 2);
  }
  return file;
}

/** Calls of several birds, each a short sweep, over a quiet morning. */
export function dawnChorus(): Buffer {
  const birds = Array.from({ length: 5 }, (_, bird) => ({
    every: 1.3 + bird * 0.47,
    from: 2100 + bird * 420,
    sweep: (bird % 2 === 0 ? 1 : -1) * (700 + bird * 160),
    loud: 0.34 - bird * 0.04,
  }));
  return wav(16, (second) => {
    const calls = birds.map(({ every, from, sweep, loud }) => {
      const within = second % every;
      const note = within % 0.16;
      if (within > 0.48) return 0;
      const swell = Math.sin((Math.PI * note) / 0.16);
      return loud * swell * Math.sin(2 * Math.PI * (from + sweep * note * 2) * note);
    });
    const fade = Math.min(1, second, 16 - second);
    return calls.reduce((sum, call) => sum + call, 0) * fade;
  });
}

/** Slow chord that sounds like glass. */
export function glassBeads(): Buffer {
  const notes = [261.63, 329.63, 392, 493.88, 587.33, 493.88, 392, 329.63];
  return wav(12, (second) => {
    let sum = 0;
    for (const [step, frequency] of notes.entries()) {
      const since = second - step * 1.25;
      if (since > 0) sum += Math.sin(2 * Math.PI * frequency * since) * Math.exp(-since * 1.6) * 0.32;
    }
    return sum;
  });
}
