/** Frequencies in Hz, one after the other. */
const TONES = {
  done: [660, 880],
  loaded: [520],
  undone: [880, 660],
  refused: [220, 180],
} as const;

const TONE_SECONDS = 0.12;

let audio: AudioContext | undefined;

/** Plays a short tone. Browsers without sound, or before the first key or click, stay silent. */
export function playTone(name: keyof typeof TONES): void {
  try {
    audio ??= new AudioContext();
    const { currentTime, destination } = audio;
    for (const [at, hertz] of TONES[name].entries()) {
      const [tone, volume] = [new OscillatorNode(audio, { frequency: hertz }), new GainNode(audio, { gain: 0.15 })];
      tone.connect(volume).connect(destination);
      tone.start(currentTime + at * TONE_SECONDS);
      tone.stop(currentTime + (at + 1) * TONE_SECONDS);
    }
  } catch {
    // The color and the text say the same.
  }
}
