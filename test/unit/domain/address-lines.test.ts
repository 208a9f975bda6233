import fc from 'fast-check';
import { addressLines, type PostalAddress } from '../../../src/domain/address-lines';
import { ISO_COUNTRIES } from '../../../src/domain/iso-countries';

/** The sender's countries and Google's libaddressinput, as on parcels; the country's name is the last line. */
const EXAMPLES: [string, Partial<PostalAddress>, string[]][] = [
  [
    'DE',
    { name: 'Erika Mustermann', line1: 'Kreuzstraße 7', city: 'Dresden', state: ' ', postcode: '01067' },
    ['Erika Mustermann', 'Kreuzstraße 7', '01067 Dresden', 'Germany'],
  ],
  [
    'DE',
    { name: 'E', line1: 'Kreuzstraße 7', city: 'Dresden', state: 'dresden', postcode: '01067' },
    ['E', 'Kreuzstraße 7', '01067 Dresden', 'Germany'],
  ],
  [
    'DE',
    { name: 'Ada', company: 'Co', line1: ' ', city: 'Berlin', state: 'Bayern', postcode: '10115' },
    ['Ada', 'Co', '10115 Berlin', 'Bayern', 'Germany'],
  ],
  [
    'SG',
    { name: 'Tan Ah Kow', line1: '16 Sandilands Road', city: 'Singapore', state: 'Singapore', postcode: '560123' },
    ['Tan Ah Kow', '16 Sandilands Road', 'Singapore 560123', 'Singapore'],
  ],
  [
    'DE',
    { name: 'E', company: 'Muster GmbH', line1: 'Kreuzstraße 7', line2: '3. Stock', city: 'Dresden', state: 'Sachsen', postcode: '01067' },
    ['E', 'Muster GmbH', 'Kreuzstraße 7', '3. Stock', '01067 Dresden', 'Sachsen', 'Germany'],
  ],
  [
    'GB',
    { name: 'Ms A Smith', line1: '221B Baker Street', city: 'London', state: ' ', postcode: 'NW1 6XE' },
    ['Ms A Smith', '221B Baker Street', 'London', 'NW1 6XE', 'United Kingdom'],
  ],
  [
    'GB',
    { name: 'A', line1: '1 High Street', city: 'Guildford', state: 'Surrey', postcode: 'GU1 3AA' },
    ['A', '1 High Street', 'Guildford', 'Surrey', 'GU1 3AA', 'United Kingdom'],
  ],
  [
    'SG',
    { name: 'Tan Ah Kow', line1: '16 Sandilands Road', line2: '#07-01', city: 'Singapore', state: ' ', postcode: '560123' },
    ['Tan Ah Kow', '16 Sandilands Road', '#07-01', 'Singapore 560123', 'Singapore'],
  ],
  [
    'JP',
    {
      name: '山田太郎',
      company: '山田写真館',
      line1: '丸の内1-2-3',
      line2: '丸ビル5階',
      city: '千代田区',
      state: '東京都',
      postcode: '100-0005',
    },
    ['〒100-0005', '東京都千代田区', '丸の内1-2-3', '丸ビル5階', '山田写真館', '山田太郎', 'Japan'],
  ],
  [
    'JP',
    { name: '山田太郎', line1: '丸の内1-2-3', city: '千代田区', state: '東京都', postcode: '〒100-0005' },
    ['〒100-0005', '東京都千代田区', '丸の内1-2-3', '山田太郎', 'Japan'],
  ],
  [
    'JP',
    { name: 'Taro Yamada', line1: '1-2-3 Marunouchi', city: 'Chiyoda-ku', state: 'Tokyo', postcode: '100-0005' },
    ['Taro Yamada', '1-2-3 Marunouchi', 'Chiyoda-ku, Tokyo 100-0005', 'Japan'],
  ],
  [
    'US',
    { name: 'Jane Doe', line1: '548 Market St', line2: 'Apt 4', city: 'San Francisco', state: 'CA', postcode: '94104' },
    ['Jane Doe', '548 Market St', 'Apt 4', 'San Francisco, CA 94104', 'United States'],
  ],
  [
    'AU',
    { name: 'Ada', line1: '1 Bank Street', city: 'Melbourne', state: 'VIC', postcode: '3000' },
    ['Ada', '1 Bank Street', 'Melbourne VIC 3000'],
  ],
  [
    'NZ',
    { name: 'Ada', line1: '43 Vogel Street', city: 'Dunedin', state: ' ', postcode: '9016' },
    ['Ada', '43 Vogel Street', 'Dunedin 9016', 'New Zealand'],
  ],
  [
    'NZ',
    { name: 'Ada', line1: '43 Vogel Street', city: 'Dunedin', state: 'Otago', postcode: '9016' },
    ['Ada', '43 Vogel Street', 'Dunedin 9016', 'Otago', 'New Zealand'],
  ],
  [
    'FR',
    { name: 'Mme Dupont', line1: '25 Rue de l’Église', city: 'Mirabeau', state: ' ', postcode: '33380' },
    ['Mme Dupont', '25 Rue de l’Église', '33380 Mirabeau', 'France'],
  ],
  [
    'CH',
    { name: 'Andrea Muster', line1: 'Bahnhofstrasse 1', city: 'Zürich', state: ' ', postcode: '8001' },
    ['Andrea Muster', 'Bahnhofstrasse 1', '8001 Zürich', 'Switzerland'],
  ],
  [
    'CH',
    { name: 'A', line1: 'B 1', city: 'Zürich', state: 'ZH', postcode: 'CH-8001' },
    ['A', 'B 1', 'CH-8001 Zürich', 'ZH', 'Switzerland'],
  ],
  [
    'NL',
    { name: 'J. de Vries', line1: 'Morsstraat 111', city: 'Leiden', state: '', postcode: '2312 BK' },
    ['J. de Vries', 'Morsstraat 111', '2312 BK Leiden', 'Netherlands'],
  ],
  [
    'IE',
    { name: 'M Byrne', line1: '4 The Grove', city: 'Dingle', state: 'Co. Kerry', postcode: 'V92 X2TK' },
    ['M Byrne', '4 The Grove', 'Dingle', 'Co. Kerry', 'V92 X2TK', 'Ireland'],
  ],
  [
    'HK',
    { name: 'Chan Tai Man', line1: '12 Nathan Road', city: 'Mong Kok', state: 'Kowloon', postcode: '999077' },
    ['Chan Tai Man', '12 Nathan Road', 'Mong Kok', 'Kowloon', '999077', 'Hong Kong SAR China'],
  ],
  [
    'BR',
    { name: 'Ana', line1: 'Rua Visconde de Porto Seguro 1238', city: 'São Paulo', state: 'SP', postcode: '04642-000' },
    ['Ana', 'Rua Visconde de Porto Seguro 1238', 'São Paulo-SP', '04642-000', 'Brazil'],
  ],
  [
    'IT',
    { name: 'M. Rossi', line1: 'Via Appia Nuova 24', city: 'Roma', state: 'RM', postcode: '00184' },
    ['M. Rossi', 'Via Appia Nuova 24', '00184 Roma RM', 'Italy'],
  ],
  [
    'CN',
    { name: '李明', line1: '建国门外大街1号', city: '朝阳区', state: '北京市', postcode: '100004' },
    ['100004', '北京市朝阳区', '建国门外大街1号', '李明', 'China'],
  ],
  [
    'CN',
    { name: 'Li Ming', line1: '1 Jianguomenwai Ave', city: 'Chaoyang', state: 'Beijing', postcode: '100004' },
    ['Li Ming', '1 Jianguomenwai Ave', 'Chaoyang', 'Beijing, 100004', 'China'],
  ],
  [
    'KR',
    { name: '김철수', company: '사진관', line1: '세종대로 209', city: '종로구', state: '서울특별시', postcode: '03171' },
    ['서울특별시 종로구', '세종대로 209', '사진관', '김철수', '03171', 'South Korea'],
  ],
  [
    'KR',
    { name: 'Kim', line1: '209 Sejong-daero', city: 'Jongno-gu', state: 'Seoul', postcode: '03171' },
    ['Kim', '209 Sejong-daero', 'Jongno-gu', 'Seoul', '03171', 'South Korea'],
  ],
  [
    'AE',
    { name: 'N', line1: '1 Creek Road', city: 'Deira', state: 'Dubai', postcode: '00000' },
    ['N', '1 Creek Road', 'Deira', 'Dubai', '00000', 'United Arab Emirates'],
  ],
  [
    'JE',
    { name: 'N', line1: '1 Pier Road', city: 'St Helier', state: 'Jersey', postcode: 'JE2 4XW' },
    ['N', '1 Pier Road', 'St Helier', 'Jersey', 'JE2 4XW', 'Jersey'],
  ],
  [
    'BW',
    { name: 'N', line1: 'Plot 5', city: 'Gaborone', state: 'South-East', postcode: '0' },
    ['N', 'Plot 5', 'Gaborone South-East 0', 'Botswana'],
  ],
  [
    'NF',
    { name: 'N', line1: 'Taylors Road', city: 'Burnt Pine', state: 'NI', postcode: '2899' },
    ['N', 'Taylors Road', 'Burnt Pine NI 2899', 'Norfolk Island'],
  ],
];

describe('the lines of an address', () => {
  it.each(EXAMPLES)('in %s %j', (country, parts, lines) => {
    const address = { name: '', line1: '', city: '', state: '', postcode: '', ...parts };
    for (const code of [country, country.toLowerCase()]) expect(addressLines({ ...address, country: code })).toEqual(lines);
  });

  it('of an erased address, and of a code that is no country', () => {
    const erased = { name: '[erased]', line1: '[erased]', city: '[erased]', state: '[erased]', postcode: '[erased]' };
    expect(addressLines({ ...erased, country: 'DE' })).toEqual(['[erased]', '[erased]', '[erased] [erased]', 'Germany']);
    expect(addressLines({ ...erased, country: '?' }).at(-1)).toBe('?');
  });

  it('contain every part once, whatever it is', () => {
    const text = fc.oneof(
      fc.constantFrom('', ' ', '$&', '$1', 'SINGAPORE', 'JERSEY', 'CH-', ', ', '-', '東京', '서울', 'دبي', '\ue000\ue002', 'A\nB', '%C%n'),
      fc.string({ maxLength: 12 }),
    );
    const part = (at: number) => text.map((value) => (value.trim() === '' ? value : `${at}<${value}>${at}`));
    const address = fc.record({
      name: part(0),
      company: fc.option(part(1)),
      line1: part(2),
      line2: fc.option(part(3)),
      city: part(4),
      state: part(5),
      postcode: part(6),
    });
    fc.assert(
      fc.property(address, fc.constantFrom('ZZ', ...ISO_COUNTRIES), (parts, country) => {
        const printed = addressLines({ ...parts, country }).join('\n');
        for (const value of Object.values(parts))
          if (value !== null && value.trim() !== '') expect([value, printed.split(value).length - 1]).toEqual([value, 1]);
        expect(printed.split('\n').every((line) => line.trim() !== '' || printed.includes('A\nB'))).toBe(true);
      }),
    );
  });

  it('are complete in every country', () => {
    for (const local of [false, true])
      for (const country of ISO_COUNTRIES) {
        const parts = {
          name: 'n-1',
          company: 'o-2',
          line1: local ? '街-3' : 'a-3',
          line2: 'b-4',
          city: 'c-5',
          state: 's-6',
          postcode: '7777',
        };
        const lines = addressLines({ ...parts, country });
        for (const value of Object.values(parts)) expect([country, lines.join('\n').split(value).length]).toEqual([country, 2]);
        expect([country, lines.filter((line) => /^[ ,-]|[ ,-]$/.test(line))]).toEqual([country, []]);
      }
  });
});
