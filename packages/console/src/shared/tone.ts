/** Frequencies in Hz, one after the other. */
const TONES = {
  done: [660, 880],
  orderLoaded: [520],
  undone: [880, 660],
  refused: [220, 180],
} as const;

const TONE_SECONDS = 0.12;

let audio: AudioContext | undefined;

/** Plays a short tone. It stays silent if the browser has no sound, or until the person has pressed a key or clicked. */
export function playTone(name: keyof typeof TONES): void {
  try {
    audio ??= new AudioContext();
    const { currentTime, destination } = audio;
    for (const [index, hertz] of TONES[name].entries()) {
      const [tone, volume] = [new OscillatorNode(audio, { frequency: hertz }), new GainNode(audio, { gain: 0.15 })];
      tone.connect(volume).connect(destination);
      tone.start(currentTime + index * TONE_SECONDS);
      tone.stop(currentTime + (index + 1) * TONE_SECONDS);
    }
  } catch {
    // The screen shows the same result by color and text.
  }
}
