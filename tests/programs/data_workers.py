"""Workers have random numbers of their own, which a persistent one keeps between epochs."""

import random

import numpy as np
import torch


class Noisy(torch.utils.data.Dataset):
    def __len__(self):
        return 5

    def __getitem__(self, index):
        worker = torch.utils.data.get_worker_info()
        drawn = torch.rand(1).item(), np.random.rand(), random.random()  # noqa: NPY002
        return index, *(round(each, 4) for each in drawn), worker.id, worker.num_workers


def seed_worker(worker_id):
    np.random.seed((torch.initial_seed() + worker_id) % 2**32)  # noqa: NPY002


DataLoader = torch.utils.data.dataloader.DataLoader
for options in (
    {"num_workers": 2},
    {"num_workers": 2, "persistent_workers": True, "worker_init_fn": seed_worker},
    {"num_workers": 1, "prefetch_factor": 1, "generator": torch.Generator().manual_seed(3)},
):
    torch.manual_seed(0)
    np.random.seed(0)  # noqa: NPY002
    random.seed(0)
    loader = DataLoader(Noisy(), 2, shuffle=True, **options)
    for _epoch in range(2):
        for batch in loader:
            print([each.tolist() for each in batch], torch.rand(1))
    print(torch.rand(1), np.random.rand(), random.random())  # noqa: NPY002
    print(loader.prefetch_factor, torch.utils.data.get_worker_info())

for wrong in (
    {"num_workers": -1}, {"timeout": -1}, {"prefetch_factor": 2}, {"persistent_workers": True},
    {"num_workers": 1, "prefetch_factor": -1},
):  # fmt: skip
    try:
        DataLoader(Noisy(), **wrong)
    except ValueError as error:
        print(error)
