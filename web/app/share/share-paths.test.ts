import { expect, test } from 'vitest';
import { folderOf, folderPath, wayOf } from './share-paths.ts';

const way = (...ids: string[]) => ({ ancestors: ids.map((id) => ({ id, name: id.toUpperCase() })) });
const several = { id: 'S', entrance: '' };
const oneFolder = { id: 'S', entrance: 'trip' };

test('an address names the folder at its end', () => {
  expect(folderOf('a/b/')).toBe('b');
  expect([folderOf(''), folderOf(undefined), folderOf('/')]).toEqual(['', '', '']);
});

test('folders of a share with several roots follow each other in the address', () => {
  expect(folderPath(several, way(), 'a')).toBe('/s/S/a');
  expect(folderPath(several, way('a', 'b'), 'c')).toBe('/s/S/a/b/c');
  expect(folderPath(several, way('a', 'b'), 'a')).toBe('/s/S/a');
  expect(folderPath(several, way('a'), '')).toBe('/s/S');
});

test('a share of one folder starts inside it: the folder is in no address and no breadcrumb', () => {
  expect(folderPath(oneFolder, way('trip'), 'camp')).toBe('/s/S/camp');
  expect(folderPath(oneFolder, way('trip', 'camp'), 'fire')).toBe('/s/S/camp/fire');
  expect(folderPath(oneFolder, way('trip', 'camp'), 'trip')).toBe('/s/S');
  expect(wayOf(oneFolder, way('trip', 'camp')).map(({ id }) => id)).toEqual(['camp']);
});
