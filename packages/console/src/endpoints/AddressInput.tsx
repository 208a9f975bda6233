import { TextInput } from '@mantine/core';

/** Where webhooks go. */
export function AddressInput({ url, onChange }: { url: string; onChange: (url: string) => void }) {
  return (
    <TextInput
      label="Address"
      description="Public https, with a name, such as https://shop.example.com/webhooks"
      type="url"
      value={url}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
      required
    />
  );
}
