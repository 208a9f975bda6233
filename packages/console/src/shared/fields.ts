import { useState } from 'react';

/** What is put into a dialog, begun anew each time it is opened. */
export function useFields<Fields extends object>(initial: () => Fields) {
  const [fields, setFields] = useState(initial);
  return {
    fields,
    /** For inputs that tell their value alone. */
    set: <Name extends keyof Fields>(name: Name, value: Fields[Name]): void => setFields((before) => ({ ...before, [name]: value })),
    /** For inputs that tell an event. */
    typed: (name: keyof Fields) => ({
      value: String(fields[name]),
      onChange: (event: { currentTarget: { value: string } }): void => {
        const { value } = event.currentTarget;
        setFields((before) => ({ ...before, [name]: value }));
      },
    }),
    checkbox: (name: keyof Fields) => ({
      checked: fields[name] === true,
      onChange: (event: { currentTarget: { checked: boolean } }): void => {
        const { checked } = event.currentTarget;
        setFields((before) => ({ ...before, [name]: checked }));
      },
    }),
    clear: (): void => setFields(initial()),
  };
}

/** What was typed; left out where nothing was. */
export const given = (typed: string): string | undefined => (typed.trim() === '' ? undefined : typed.trim());
