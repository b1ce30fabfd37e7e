"""What programs ask before they begin: the version, devices, and flags for other devices."""

import torch

for other in ("1.13.1", "2.0", "2.2", "2.13", "3.0", (2, 0), (2, 13), (3,)):
    print(torch.__version__ >= other, torch.__version__ < other)
print(torch.__version__.split(".")[:2])
device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else "cpu"
print(device, torch.accelerator.device_count(), torch.cuda.is_available())
torch.set_default_device("cpu")
print(torch.get_default_device())
torch.manual_seed(0)
torch.cuda.manual_seed(0)
torch.cuda.manual_seed_all(0)
torch.cuda.empty_cache()
cudnn = torch.backends.cudnn
print(cudnn.enabled, cudnn.benchmark, cudnn.deterministic, cudnn.is_available())
cudnn.deterministic, cudnn.benchmark = True, False
print(cudnn.deterministic, torch.backends.mps.is_available(), torch.backends.mps.is_built())
cudnn.deterministic = False
torch.set_default_device(None)
