import { useState } from 'react';

export function useFields<Fields extends object>(initial: () => Fields) {
  const [fields, setFields] = useState(initial);
  return {
    fields,
    set: <Name extends keyof Fields>(name: Name, value: Fields[Name]): void => setFields((before) => ({ ...before, [name]: value })),
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

export const given = (typed: string): string | undefined => (typed.trim() === '' ? undefined : typed.trim());
