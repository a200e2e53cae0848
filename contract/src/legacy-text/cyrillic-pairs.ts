/**
 * Frequency with which one letter follows another in a language. Rows are the preceding letter, columns the following
 * one; the first row and column stand for a word boundary. Each hexadecimal digit is the negative logarithm of the
 * probability, in halves.
 */
export interface LetterPairs {
  readonly letters: string;
  readonly costs: readonly string[];
}

export const RUSSIAN: LetterPairs = {
  letters: 'абвгдежзийклмнопрстуфхцчшщъыьэюяё',
  costs: [
    'f785b67b65f6a756484778ad7effff8fcf',
    '3fa677676f65675f77757fad87bffff99b',
    '75ffff4ef8f97b74f48c5fbcff564fff9a',
    '43f9ff4ff5f96b84b8698f8ffcff4affac',
    '98def4eff5fc6fb1f3ff9fffffffffffff',
    '63e9fd4df4f96964a5cb7fccfeff8dff98',
    '2daa77b98d78664dd455ebbeaa9ffffffa',
    'a5eff42ff4fcf53affff9ffffffffefffe',
    '4297f579f6f6a666f8ff7fffefff6cff8f',
    '2ba8d86e7a98566bd854fa7889affffb7f',
    '2ffff7fffff93dcfff53ffff9fffffffff',
    '43fbff6df5f67f93f6a66ffeffffffffff',
    '65efcf58f3f5efa5ffbf8fffffff74f75a',
    '26cbdf3ff4fed984afcf6fffffff6fff7c',
    '63ffeb4ff3fcff64ffb67efcbfff6afc8a',
    '3f6565879a67667a7655dd9f9befffcfbd',
    '94ffff6ff5f7afa2f2fd7fffffffaaffcf',
    '63f7fd4995f9fc93daaa5faffaff6bff8d',
    '57c8fb6ff8f558858963afbfaeff66fc59',
    '45e7fc4ff6f8faa3a66f8fffffff84ffcd',
    '3c9a65755f78c95f6c65fdaf7bbffff7df',
    '71ffff9ff5ffaff4f7fbdfffffffafffff',
    '2dfaff7ff7ffffb3f3dfafffffffff8fff',
    '53dddd2dd4ddddd8dddd5ddddddd5ddddd',
    '83ffff3ff4faff69fff28ffffefff8fff8',
    '45ffff2ff2f76f99fbff9ffffffffafff7',
    'e4eeee2ee3eeeeeeeeee9eeeeeeee9eee3',
    'bbbbbb0bbbbbbbbbbbbbbbbbbbbbbbbb76',
    '2f66c95fff5847efaba6ff6faaffffffff',
    '1fdfdfcf6df5f77fff77fffaf6fffff8ec',
    'eeeeeeeeeee67eeeeee0eeeeeeeeeeeeee',
    '3f6ff6fffffffffffbb2ffff3f7ffffbff',
    '1ff8e75f6faea8afdfb5ffacbfbffff8bf',
    '2fffdcfaaff8754ffbf3ffcfffffffffff',
  ],
};

export const UKRAINIAN: LetterPairs = {
  letters: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя',
  costs: [
    'f784cf6d9d5f7a879758486688a88c7fe7',
    '4f76af6f677ffd66774f77657f9a87ff9f',
    '45fffcf3fff55ffd7874f5ac4fcffeffff',
    '43f8bf96f8f33ffb8a85cd798f9ffcffff',
    '94cffffdfffa9ffc5f91f6f68ffffeffff',
    '8888888888888888888883888888888888',
    '54b8fff6faf55ff67853869a7facfef9fa',
    '2c978f7fd77ffd97874cb378fadedbdfdd',
    '1fffff7ffffff8f5f5bffe93ffffffff8f',
    '67bfff72fff47ffd9f38fff85fffbfffff',
    '3266af97fffa8ffba65898ec6ffffdfcff',
    '2f87cf8fceafff67567fba54fa7db7afff',
    '3c868f4f9b7ffa69675de755ffac88bf8a',
    '1ee9eeeeeccee4aee87eeee9ee3eeeeeee',
    '2fcdff7ffcffffff3875ff93fffff8ffff',
    '43fffff9fff56fff7f83f5975ffefc5fff',
    '63fffff5fff35ffafff6ffff8ffffff474',
    '34cbfff5fff44ff98fc3afdc5fffdfffff',
    '73ffefb4eff65ff8ff54ffb57efac8f8a5',
    '3f655f5dc78ff9b7767f7657fdbe99ff8d',
    '85fffff4fff55ff7af92f3fd7ffaffffff',
    '64f7cfc3fef45ff9fa93cfa98fadf8ffa8',
    '76f9fff6fff57ff58f676ff36fa8fff7b4',
    '64e8fff4fff37ffaffb4f6fd6ffefff3cb',
    '2cb5af7f698fff88995f6d76fedf8bdf8f',
    '71fffff9fffa5ffffff4f7fbafffffffff',
    '29f6fff7fff65ffffd73fcf57fffffffff',
    'fbfffff2fff73fffffaffffffffffff464',
    '63fefff4fff36ff8ff64fff97ffdbffffb',
    '56fafff3fff35ff96ca5fcf55fffffffff',
    'f9fffff4fffecffffff0ffffafffffffff',
    '1fffffffffffffe6f965ff39fffdf7ffff',
    '2fd5ff6f5fffff7fffdffcf2ffff5fff7f',
    '1ff89f7f8f9fffd3d7afefd6ff9dbfff9f',
  ],
};
