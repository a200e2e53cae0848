/**
 * 7z archives made by 7-Zip: a folder `nest` with `egg.txt` ("an egg"), `list.txt` ("blue feather " forty times) and
 * `none.txt`, which is empty. Where there is a password it is `berries`.
 */
export const SEVEN_ZIP = {
  plain:
    'N3q8ryccAASQghmvjwAAAAAAAAAhAAAAAAAAAOu5MlngAg0AG10AMRsLEOG7jEu3KbIq21FCAOSAwp6Nwn7mEL2zAAAAgTMHrg/QPBb8nz9HQQcKvrueAzOExz7OmYb0emfzQIEfpaUYPETSKYm8hUZxr0HEeHOadFe1AIeCgzW1jCv0Co8A0ZY+6y61ko0WaeMv5kBEQZSJt4K+cYBizH1YCWx3JtcfbzU72uwIIBcGIwEJbAAHCwEAASMDAQEFXQAQAAAMgJ4KAdz6+x4AAA==',
  locked:
    'N3q8ryccAAQ2RhHQtAAAAAAAAAAiAAAAAAAAABfKHGgUMuvndI2/GGqz3o0D1xQULAZLikRNxKUkAgdoEDkhiWi0vH6livNt12x4j0Cd+78AAIEzB64P0QDUPKCKabDjxAD69FhUvge0WB7z+PbDx3/MDS7YdHTUzwsirbcPFehlElFcTnttLjf4qYBOn5Knnlx28ED4KVaA/+ZLKkSjw0DqYBKieQ9Sj1J8cEH1Qed/77pAJCu5CcPK3SCqxfNtdGAKolff9BWPl1AxtMQ39bQAAAAXBjABCYCEAAcLAQABIwMBAQVdABAAAAyArgoBJAViHQAA',
  sealed:
    'N3q8ryccAARjOwRswAAAAAAAAAA+AAAAAAAAAFK6z7L2ErXCGxDNt158qRZdKqpfIbZxjPdeUlEyYEEwsYXQFGj4/8CGJS8Kl1AzxquA9hJXD1ZegipIISszTjcgKH8b+hLevj9u1vP+ezpN1KVldj/Q1jugjLvqAhUrjDZ1qD9bbCnLtwugnYcr5IHaYq+D/HKvvKqisYhPoFYgwov41NVfd6XcCZst87WrzUOQi+WY6VZVtRZeR56HHuNll28T6V0F8itvvfRdmVV7rqeH/xOI+ROmocKkTCqHTwKv+N4XBjABCYCQAAcLAQACJAbxBwESUw9Y679nYcmk2PbJtllWt7SWIwMBAQVdABAAAAEADICEgK4KAbmXG8UAAA==',
} as const;
